// The head of a hunk in a review: a box to take it, where it is, and what else can be done with it.

import { canSplit, hunkHeader, visibleLine } from '@codelab/protocol';
import { Pencil, Scissors, Undo2 } from 'lucide-react';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Checkbox } from '../../ui/checkbox.tsx';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { isChanged, type Piece } from './review-state.ts';
import type { ReviewSession } from './use-review-session.ts';

export function HunkRow({ session, piece }: { session: ReviewSession; piece: Piece }) {
  const words = useText().review;
  const { state, at, canChoose } = session;
  const { number, key, hunk, isTaken, isEdited } = piece;
  const isPart = key.includes('.');
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
          label={isPart ? words.part(number, key.slice(key.indexOf('.') + 1)) : words.hunk(number)}
          isChecked={isTaken}
          onChange={() => {
            session.go(piece);
            session.toggle(piece);
          }}
        />
      )}
      <span className="min-w-0 flex-1 truncate">
        <span className="font-medium">{words.hunkName(number, state.total)}</span>{' '}
        <span className="font-mono text-tiny text-muted">
          {hunk === undefined ? words.noHunk : visibleLine(hunkHeader(hunk))}
        </span>
      </span>
      {isEdited && <Badge tone="accent">{words.edited}</Badge>}
      {isPart && !isEdited && <Badge>{words.parted}</Badge>}
      {canChoose && <Tools session={session} piece={piece} />}
    </div>
  );
}

function Tools({ session, piece }: { session: ReviewSession; piece: Piece }) {
  const words = useText().review;
  const { hunk, number } = piece;
  return (
    <>
      {session.canChange && hunk !== undefined && canSplit(hunk) && (
        <IconButton
          size="small"
          icon={Scissors}
          label={words.splitIt}
          shortcut="S"
          onClick={() => session.split(piece)}
        />
      )}
      {session.canChange && hunk !== undefined && (
        <IconButton
          size="small"
          icon={Pencil}
          label={words.editIt}
          shortcut="E"
          onClick={() => session.beginEdit(piece)}
        />
      )}
      {isChanged(session.state, number) && (
        <IconButton size="small" icon={Undo2} label={words.restore} onClick={() => session.restore(piece)} />
      )}
    </>
  );
}
