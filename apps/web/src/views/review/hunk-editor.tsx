// Edits a hunk's new lines, beside its present ones.
import {
  type DiffHunk,
  hunkFieldText,
  hunkFromField,
  hunkSides,
  type ReviewItem,
  visible,
} from '@codelab/protocol';
import { useId, useState } from 'react';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { ChooserLabels } from './review-session.ts';

type Props = { item: ReviewItem; labels: ChooserLabels; onKeep(hunk: DiffHunk): void; onClose(): void };

export function HunkEditor({ item, labels, onKeep, onClose }: Props) {
  const text = useViewText();
  const words = text.review;
  const { hunk, number } = item;
  const original = hunk === undefined ? undefined : hunkFieldText(hunk);
  const [written, setWritten] = useState(original ?? '');
  const isChanged = written !== original;
  const edited = hunk === undefined || !isChanged ? undefined : hunkFromField(hunk, written);
  return (
    <Dialog
      isOpen
      size="large"
      title={words.editTitle(number)}
      onClose={onClose}
      footer={
        <>
          <span role="status" className="mr-auto self-center text-small text-warn">
            {isChanged && edited === undefined && words.editNothing}
          </span>
          <Button tone="quiet" onClick={onClose}>
            {text.approval.cancel}
          </Button>
          <Button
            tone="strong"
            disabled={edited === undefined}
            onClick={() => edited !== undefined && onKeep(edited)}
          >
            {labels.editKeep}
          </Button>
        </>
      }
    >
      {hunk === undefined || original === undefined ? (
        <p className="text-warn">{words.editCanNot}</p>
      ) : (
        <Sides before={labels.before} hunk={hunk} written={written} onWrite={setWritten} />
      )}
    </Dialog>
  );
}

type SidesProps = { before: string; hunk: DiffHunk; written: string; onWrite(text: string): void };

function Sides({ before: label, hunk, written, onWrite }: SidesProps) {
  const words = useViewText().review;
  const id = useId();
  const before = hunkSides(hunk.lines)
    .before.map((line) => line.replace(/\r\n$/, '\n'))
    .join('');
  const rows = Math.min(24, Math.max(6, written.split('\n').length + 1));
  return (
    <>
      <p className="mb-3 text-small text-muted">{words.editHint}</p>
      <div className="grid gap-3 two:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-1">
          <span className="text-small font-medium text-muted">{label}</span>
          <pre className="flex-1 overflow-auto rounded-base bg-sunken px-2 py-1 font-mono text-small [tab-size:4]">
            {visible(before)}
          </pre>
        </div>
        <div className="flex min-w-0 flex-col gap-1">
          <label htmlFor={id} className="text-small font-medium text-muted">
            {words.after}
          </label>
          <textarea
            id={id}
            data-autofocus
            dir="ltr"
            rows={rows}
            value={written}
            spellCheck={false}
            wrap="off"
            onChange={({ target }) => onWrite(target.value)}
            className="w-full rounded-base border border-line-strong/60 bg-surface px-2 py-1 font-mono text-small [tab-size:4]"
          />
        </div>
      </div>
    </>
  );
}
