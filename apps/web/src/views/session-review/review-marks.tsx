// Viewed marks of files, and the end of a file's line. A viewed file shows no lines, unless it is unfolded.
import type { ReviewFile } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { useReviewWords } from './review-words.ts';
import { type OpenReview, type SessionReviewState, viewedKey } from './use-session-review.ts';
import type { ReviewWords } from './words/en.ts';

export type Marks = {
  isViewed(file: ReviewFile): boolean;
  setViewed(file: number, isViewed: boolean): void;
  isFolded(file: number): boolean;
  unfold(file: number): void;
  fold(file: number): void;
};

export function useMarks({ data, viewed }: OpenReview, { change }: SessionReviewState): Marks {
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const at = (file: number): string => {
    const found = data.files[file];
    return found === undefined ? '' : viewedKey(found);
  };
  const without = (mark: string): ReadonlySet<string> =>
    new Set([...unfolded].filter((other) => other !== mark));
  return {
    isViewed: (file) => viewed.has(viewedKey(file)),
    setViewed(file, isViewed) {
      const mark = at(file);
      setUnfolded(without(mark));
      change((open) => {
        const rest = [...open.viewed].filter((other) => other !== mark);
        return { viewed: new Set(isViewed ? [...rest, mark] : rest) };
      });
    },
    isFolded: (file) => viewed.has(at(file)) && !unfolded.has(at(file)),
    unfold: (file) => setUnfolded(new Set([...unfolded, at(file)])),
    fold: (file) => setUnfolded(without(at(file))),
  };
}

type Props = { file: ReviewFile | undefined; index: number; marks: Marks };

export function FileTools({ file, index, marks }: Props) {
  const words = useReviewWords();
  if (file === undefined) return null;
  const name = visibleLine(file.path);
  const isFolded = marks.isFolded(index);
  const note = file.binary ? words.binary : file.truncated ? words.truncated : file.note;
  return (
    <>
      {note !== undefined && (
        <span title={note} className="hidden max-w-72 truncate text-small text-muted two:inline">
          {note}
        </span>
      )}
      {file.mode !== undefined && (
        <Badge className="font-mono">
          {file.mode.before} → {file.mode.after}
        </Badge>
      )}
      {file.types !== undefined && <TypesBadge types={typesText(file.types, words)} />}
      {file.uncertain && <Badge tone="warn">{words.uncertain}</Badge>}
      {file.gone !== undefined && (
        <span title={file.gone}>
          <Badge tone="warn">{words.gone}</Badge>
        </span>
      )}
      <Checkbox
        label={
          <>
            <span aria-hidden className="text-small">
              {words.viewed}
            </span>
            <span className="sr-only">{words.viewedFile(name)}</span>
          </>
        }
        isChecked={marks.isViewed(file)}
        onChange={(isViewed) => marks.setViewed(index, isViewed)}
      />
      {marks.isViewed(file) && (
        <IconButton
          size="small"
          icon={isFolded ? ChevronRight : ChevronDown}
          label={isFolded ? words.unfold(name) : words.fold(name)}
          onClick={() => (isFolded ? marks.unfold(index) : marks.fold(index))}
        />
      )}
    </>
  );
}

function TypesBadge({ types }: { types: string }) {
  return (
    <span title={types}>
      <Badge>
        <span className="max-w-72 truncate">{types}</span>
      </Badge>
    </span>
  );
}

/** The types before and after: `text file → symbolic link to a.txt`. */
function typesText({ before, after }: NonNullable<ReviewFile['types']>, words: ReviewWords): string {
  return [before, after]
    .flatMap((entry) => (entry === null ? [] : [entry]))
    .map(({ type, target }) => (target === undefined ? words.types[type] : words.linkTo(visibleLine(target))))
    .join(' → ');
}
