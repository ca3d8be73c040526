// A comment on a line of a review: as it is read, and the field it is written in.
import type { ReviewComment } from '@codelab/api';
import { Pencil, Trash2 } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import type { DiffLine } from '../../diff/hunk-rows.ts';
import { honestText } from '../../markdown/honest-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useReviewWords } from './review-words.ts';

export type CommentActions = {
  /** The one that is being written. */
  writing: string | undefined;
  write(id: string | undefined): void;
  put(comment: ReviewComment): void;
  remove(id: string): void;
};

export type CommentPlace = Pick<ReviewComment, 'line' | 'side'>;

export function placeOf({ sign, old, new: now }: DiffLine): CommentPlace {
  return sign === '-' ? { side: 'old', line: old ?? 1 } : { side: 'new', line: now ?? 1 };
}

type Props = { comment: ReviewComment; lines: readonly DiffLine[]; actions: CommentActions };

export function CommentNote({ comment, lines, actions }: Props) {
  const words = useReviewWords();
  if (actions.writing === comment.id)
    return <CommentField comment={comment} lines={lines} actions={actions} />;
  const where = comment.side === 'old' ? words.removedLine(comment.line) : words.commentLine(comment.line);
  return (
    <div className="mx-3 flex h-full flex-col py-1.5">
      <article
        aria-label={where}
        className="flex min-h-0 flex-1 items-start gap-2 rounded-base border border-accent/40 bg-accent-soft px-3 py-1.5"
      >
        <div className="flex h-full min-w-0 flex-1 flex-col">
          <span className="text-tiny text-muted">{where}</span>
          <p className="min-h-0 flex-1 overflow-y-auto whitespace-pre-wrap wrap-anywhere">
            {honestText(comment.text)}
          </p>
        </div>
        <IconButton
          size="small"
          icon={Pencil}
          label={words.commentEdit}
          onClick={() => actions.write(comment.id)}
        />
        <IconButton
          size="small"
          icon={Trash2}
          label={words.commentDelete}
          onClick={() => actions.remove(comment.id)}
        />
      </article>
    </div>
  );
}

const longest = 20_000;

function CommentField({ comment, lines, actions }: Props) {
  const words = useReviewWords();
  const [text, setText] = useState(comment.text);
  const [place, setPlace] = useState<CommentPlace>(comment);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const put = (change: Partial<ReviewComment>): void =>
    actions.put({ ...comment, ...place, text, ...change });
  const move = (next: CommentPlace): void => {
    setPlace(next);
    put(next);
  };
  const finish = (isWanted: boolean): void => {
    if (!isWanted) actions.remove(comment.id);
    actions.write(undefined);
  };
  const done = (): void => finish(text.trim() !== '');
  return (
    <div className="mx-3 flex h-full flex-col gap-1.5 py-1.5">
      <div className="flex min-h-0 flex-1 flex-col gap-1.5 rounded-base border border-accent bg-raised p-2">
        <textarea
          ref={field}
          value={text}
          aria-label={words.commentHint}
          placeholder={words.commentHint}
          maxLength={longest}
          onChange={({ target }) => {
            setText(target.value);
            put({ text: target.value });
          }}
          onKeyDown={(event) => onEndKey(event, done)}
          className="min-h-0 w-full flex-1 resize-none rounded-small border border-line-strong/60 bg-surface px-2 py-1 placeholder:text-faint"
        />
        <div className="flex items-center gap-2">
          <PlaceSelect place={place} lines={lines} onChange={move} />
          <span className="flex-1" />
          <Button size="small" tone="quiet" onClick={() => finish(false)}>
            {words.commentDelete}
          </Button>
          <Button size="small" tone="strong" onClick={done}>
            {words.commentDone}
          </Button>
        </div>
      </div>
    </div>
  );
}

function onEndKey(event: KeyboardEvent<HTMLElement>, done: () => void): void {
  const { key, ctrlKey, metaKey } = event;
  const isEnd = key === 'Escape' || (key === 'Enter' && (ctrlKey || metaKey));
  if (!isEnd || event.nativeEvent.isComposing) return;
  event.preventDefault();
  event.stopPropagation();
  done();
}

type PlaceProps = { place: CommentPlace; lines: readonly DiffLine[]; onChange(place: CommentPlace): void };

/** The line a comment is about. One that is not shown any more stays in the list, so that the comment keeps it. */
function PlaceSelect({ place, lines, onChange }: PlaceProps) {
  const words = useReviewWords();
  const id = useId();
  const places = lines.map(placeOf);
  const isListed = places.some(({ line, side }) => line === place.line && side === place.side);
  return (
    <>
      <label htmlFor={id} className="sr-only">
        {words.commentOn}
      </label>
      <select
        id={id}
        value={`${place.side}:${place.line}`}
        onChange={({ target }) => {
          const [side, line] = target.value.split(':');
          onChange({ side: side === 'old' ? 'old' : 'new', line: Number(line) });
        }}
        className="h-6 min-w-0 rounded-base border border-line-strong/60 bg-surface px-1 text-small"
      >
        {(isListed ? places : [place, ...places]).map(({ side, line }) => (
          <option key={`${side}:${line}`} value={`${side}:${line}`}>
            {side === 'old' ? words.removedLine(line) : words.commentLine(line)}
          </option>
        ))}
      </select>
    </>
  );
}
