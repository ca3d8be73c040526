// The head of a file and of a hunk in a review: its name, a box to accept it, and further actions.
import {
  canSplitItem,
  type DiffFile,
  hunkHeader,
  isFileTaken,
  type Review,
  type ReviewItem,
  visibleLine,
} from '@codelab/protocol';
import { Pencil, Scissors, Undo2 } from 'lucide-react';
import { fileChange } from '../../diff/file-name.ts';
import { diffLineEndings } from '../../diff/line-ending.ts';
import { useViewText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { IconButton } from '../../ui/button.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { countDiffLines } from './review-rows.ts';
import type { HunkChooser } from './review-session.ts';

type Props = { session: HunkChooser; file: number; of: DiffFile };

export function FileRow({ session, file, of }: Props) {
  const words = useViewText().review;
  const { path, from, op } = fileChange(of);
  const { added, removed } = countDiffLines(of);
  const name = visibleLine(path);
  return (
    <div className="sticky left-0 flex h-10 w-(--review-width) items-center gap-2 border-y border-line bg-canvas px-3">
      {session.canChoose && (
        <Checkbox
          isLabelHidden
          label={session.labels.file(name)}
          isChecked={isFileTaken(session.review, file)}
          onChange={(isTaken) => session.take(isTaken, file)}
        />
      )}
      <span className="min-w-0 flex-1 truncate font-mono text-small font-semibold" title={name}>
        {from !== undefined && from !== path && <span className="text-muted">{visibleLine(from)} → </span>}
        {name}
      </span>
      {words.op[op] !== '' && <Badge tone={op === 'delete' ? 'bad' : 'accent'}>{words.op[op]}</Badge>}
      <Endings of={of} />
      <Badge className="font-mono">
        <span className="text-good">+{added}</span>
        <span className="text-bad">−{removed}</span>
      </Badge>
      {session.fileTools?.(file)}
    </div>
  );
}

function Endings({ of }: { of: DiffFile }) {
  const { endings } = useViewText().review;
  const { before, after } = diffLineEndings(of);
  if (before === after || before === 'none' || after === 'none') {
    const only = before === 'none' ? after : before;
    // Plain line feeds are what everybody expects.
    return only === 'lf' || only === 'none' ? null : <Badge tone="warn">{endings[only]}</Badge>;
  }
  return (
    <Badge tone="high">
      {endings[before]} → {endings[after]}
    </Badge>
  );
}

export function HunkRow({ session, item }: { session: HunkChooser; item: ReviewItem }) {
  const words = useViewText().review;
  const { review, at, canChoose, labels } = session;
  const { number, key, hunk, isTaken, isPart, isEdited } = item;
  const isAt = at?.key === key;
  return (
    <div
      aria-current={isAt ? 'true' : undefined}
      className={cx(
        'sticky left-0 flex h-8.5 w-(--review-width) items-center gap-2 px-3 text-small',
        isAt ? 'bg-selected shadow-[inset_3px_0_0_var(--accent)]' : 'bg-accent-soft',
      )}
    >
      {canChoose && (
        <Checkbox
          isLabelHidden
          label={isPart ? labels.part(number, `${partNumber(review, item)}`) : labels.hunk(number)}
          isChecked={isTaken}
          onChange={() => {
            session.go(item);
            session.toggle(item);
          }}
        />
      )}
      <span className="min-w-0 flex-1 truncate">
        <span className="font-medium">{words.hunkName(number, review.total)}</span>{' '}
        <span className="font-mono text-tiny text-muted">
          {hunk === undefined ? words.noHunk : visibleLine(hunkHeader(hunk))}
        </span>
      </span>
      {!isTaken && labels.left !== '' && <Badge tone="bad">{labels.left}</Badge>}
      {isEdited && <Badge tone="accent">{words.edited}</Badge>}
      {isPart && !isEdited && <Badge>{words.parted}</Badge>}
      {canChoose && <Tools session={session} item={item} />}
    </div>
  );
}

function Tools({ session, item }: { session: HunkChooser; item: ReviewItem }) {
  const words = useViewText().review;
  const { hunk } = item;
  return (
    <>
      {canSplitItem(item) && (
        <IconButton
          size="small"
          icon={Scissors}
          label={words.splitIt}
          shortcut="S"
          onClick={() => session.split(item)}
        />
      )}
      {hunk !== undefined && (
        <IconButton
          size="small"
          icon={Pencil}
          label={words.editIt}
          shortcut="E"
          onClick={() => session.beginEdit(item)}
        />
      )}
      {(item.isPart || item.isEdited) && (
        <IconButton size="small" icon={Undo2} label={words.restore} onClick={() => session.restore(item)} />
      )}
    </>
  );
}

function partNumber({ items }: Review, item: ReviewItem): number {
  return items.filter(({ number }) => number === item.number).indexOf(item) + 1;
}
