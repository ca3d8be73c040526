// After a turn in review mode that changed files, a line above the message field offers the review. It does not open automatically: the
// user may be reading or typing.
import { isFolderEffect } from '@codelab/protocol';
import { Eye, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { useNetChanges } from '../../session/changes/net-changes.ts';
import type { SessionModel } from '../../session/session-model.ts';
import { useConnection, useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { useWorkMode } from '../modes/work-mode.ts';
import { openSessionReview } from './scope-store.ts';

export function ReviewPrompt() {
  const text = useText();
  const words = text.reviewPrompt;
  const session = useSession(({ id }) => id);
  const ended = useSession(endedTurn);
  const turn = useSession(latestChange);
  const { files, added, removed } = useNetChanges(turn);
  const isReview = useWorkMode() === 'review';
  const [dismissed, setDismissed] = useState(0);
  const open = (which: number | null): void => openSessionReview(session, which);
  useActions(
    session === '' ? [] : [{ id: 'review.open', group: 'session', label: words.open, run: () => open(null) }],
  );
  const first = useFirstSeenTurn(session);
  if (!isReview || files === 0 || ended === 0 || dismissed === turn) return null;
  // The turn before the last is offered when it ended while the page was open: an interrupted turn is finished before the next begins.
  if (turn !== ended && turn < first) return null;
  return (
    <div className="mx-auto flex w-full max-w-[52rem] items-center gap-2 px-2 pb-1 two:px-5">
      <Button
        size="small"
        tone="strong"
        icon={<Eye aria-hidden className="size-3.5" />}
        onClick={() => open(turn)}
      >
        {words.review(files)}
      </Button>
      <span className="shrink-0 font-mono text-small">
        <span className="text-good">+{added}</span> <span className="text-bad">−{removed}</span>
      </span>
      <span className="min-w-0 flex-1 truncate text-small text-muted">{words.hint}</span>
      <IconButton size="small" icon={X} label={text.ui.close} onClick={() => setDismissed(turn)} />
    </div>
  );
}

/** The number of the latest turn when it has ended; 0 before the first one, and while one goes on. */
function endedTurn({ turns }: SessionModel): number {
  const { latest } = turns;
  return latest?.endedAt === undefined ? 0 : latest.turn;
}

/** The latest turn that changed files; 0 when there is none. What a person did in between belongs to no turn. */
function latestChange({ touched }: SessionModel): number {
  const latest = touched.findLast(
    ({ turn, effects }) => turn !== undefined && effects.some((effect) => !isFolderEffect(effect)),
  );
  return latest?.turn ?? 0;
}

type SeenTurns = { session: string; first: number };

/** The first turn that ends while the page looks on: one that ended before is not news. */
function useFirstSeenTurn(session: string): number {
  const isLive = useConnection() === 'live';
  const before = useSession(({ turns }) => turns.lastEnded);
  const [seen, setSeen] = useState<SeenTurns | undefined>();
  useEffect(() => {
    if (isLive && seen?.session !== session) setSeen({ session, first: before + 1 });
  }, [isLive, session, before, seen]);
  return seen?.session === session ? seen.first : Number.POSITIVE_INFINITY;
}
