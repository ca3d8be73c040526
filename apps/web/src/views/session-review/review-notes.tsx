// The parts of a review without a diff: files that commands removed for good, and changes by other branches of the conversation.
import { type ReviewTotals, visibleLine } from '@codelab/protocol';
import { GitBranch, ShieldAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { useBranches } from '../../session/branches.ts';
import { openSession } from '../../session/current-session.ts';
import type { SessionModel } from '../../session/session-model.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import type { SessionReviewScope } from './draft-store.ts';
import { useReviewWords } from './review-words.ts';
import { openSessionReview } from './scope-store.ts';

const mostNotes = 5;
const mostBranches = 8;

export function ReviewNotes({ scope, version }: { scope: SessionReviewScope; version: string }) {
  return (
    <>
      <Losses scope={scope} />
      <OtherBranches session={scope.session} version={version} />
    </>
  );
}

/** Undo brings none of it back, and no hunk can be discarded to get it. */
function Losses({ scope }: { scope: SessionReviewScope }) {
  const words = useReviewWords();
  const found = JSON.parse(useSession((model) => JSON.stringify(lossesIn(model, scope)))) as string[];
  if (found.length === 0) return null;
  const hidden = found.length - mostNotes;
  return (
    <section
      aria-label={words.losses}
      className="flex shrink-0 gap-2 border-b border-line bg-warn-soft px-3 py-1.5 text-small text-warn"
    >
      <ShieldAlert aria-hidden className="mt-0.5 size-4 shrink-0" />
      <div className="max-h-32 min-w-0 flex-1 overflow-auto wrap-anywhere">
        <p className="font-medium">{words.losses}</p>
        {found.slice(0, mostNotes).map((note) => (
          <p key={note}>{note}</p>
        ))}
        {hidden > 0 && <p>{words.moreLosses(hidden)}</p>}
      </div>
    </section>
  );
}

function lossesIn({ losses }: SessionModel, { session, turn }: SessionReviewScope): string[] {
  const notes = losses
    .filter((loss) => loss.session === session && (turn === null || loss.turn === turn))
    .flatMap((loss) => loss.notes.map(visibleLine));
  return [...new Set(notes)];
}

/** A branch begins with the files as they are: what its parent changed is still there, and is reviewed in the parent. */
function OtherBranches({ session, version }: { session: string; version: string }) {
  const words = useReviewWords();
  const { untitled } = useText().sessions;
  const branches = useBranches(({ all }) => all);
  const found = useOpenChanges(session, version);
  if (found.length === 0) return null;
  const titleOf = (id: string): string => branches.find((branch) => branch.id === id)?.title || untitled;
  return (
    <ul
      aria-label={words.branches}
      className="flex max-h-32 shrink-0 flex-col gap-1 overflow-auto border-b border-line bg-canvas px-3 py-1.5 text-small"
    >
      {found.map(({ id, totals: { files, added, removed } }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="min-w-0 wrap-anywhere">
            <GitBranch aria-hidden className="mr-1.5 inline size-3.5 text-muted" />
            {words.branchHas(visibleLine(titleOf(id)), files)}{' '}
            <span className="font-mono whitespace-nowrap tabular-nums">
              <span className="text-good">+{added}</span> <span className="text-bad">−{removed}</span>
            </span>
          </span>
          <Button size="small" onClick={() => reviewBranch(id)}>
            {words.branchReview}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function reviewBranch(id: string): void {
  openSession(id);
  openSessionReview(id, null);
}

type OpenChanges = { id: string; totals: ReviewTotals };

/** The other branches of the conversation whose changes are still in the files. */
function useOpenChanges(session: string, version: string): readonly OpenChanges[] {
  const ids = useBranches(({ all }) => all.map(({ id }) => id).join('\n'));
  const [found, setFound] = useState<readonly OpenChanges[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: with another version of the review the files have changed.
  useEffect(() => {
    let isCurrent = true;
    const list = ids.split('\n');
    // Right after another session is opened, the list is still that of the one before.
    const others = list.includes(session) ? list.filter((id) => id !== session) : [];
    void Promise.all(
      others.slice(0, mostBranches).map(async (id) => ({ id, totals: await api.review.totals(id) })),
    )
      .then((all) => isCurrent && setFound(all.filter(({ totals }) => totals.files > 0)))
      // The review itself can be read without the note.
      .catch(() => undefined);
    return () => {
      isCurrent = false;
    };
  }, [session, ids, version]);
  return found;
}
