// What a review comes to: marked hunks are discarded, comments go to the agent, the rest is committed. Whatever else is done, what was
// marked is discarded first, and nothing goes on when a part of it is refused.
import type { DiscardResult } from '@codelab/api';
import { type Review, reviewMessage } from '@codelab/protocol';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import { sendMessage } from '../conversation/composer/send-message.ts';
import { picksOf } from './build-review.ts';
import { flushDrafts, saveDraft } from './draft-store.ts';
import { useReviewWords } from './review-words.ts';
import { type OpenReview, type SessionReviewState, savedDraftOf } from './use-session-review.ts';

type Latest = { callId: string | null; files: number; refused: readonly { path: string; why: string }[] };

export type Finish = {
  isBusy: boolean;
  /** What the latest discard did; it can be undone from here. */
  latest: Latest | undefined;
  /** How many hunks are marked to be discarded, and how many of the others are written anew. */
  marked: number;
  edited: number;
  discard(): void;
  discardAll(): void;
  undo(): void;
  send(): void;
  /** Settles with whether it was done. */
  commit(message: string): Promise<boolean>;
};

export function useFinish(open: OpenReview, { change, read }: SessionReviewState): Finish {
  const words = useReviewWords();
  const { session, turn } = open.scope;
  const [isBusy, setIsBusy] = useState(false);
  const [latest, setLatest] = useState<Finish['latest']>();
  const picks = picksOf(open.built);
  const counts = countsOf(open.built.review);
  const doIt = (work: () => Promise<boolean>): Promise<boolean> => attempt(work, setIsBusy);
  const take = async (result: DiscardResult): Promise<boolean> => {
    const next = latestOf(result);
    setLatest(next);
    if (next.refused.length === 0) await forgetMarks(open);
    await read();
    return next.refused.length === 0;
  };
  const discardMarked = async (): Promise<boolean> =>
    counts.marked + counts.edited === 0 ||
    (await take(await api.review.discard(session, { turn, hunks: picks.discard, edits: picks.edits })));
  return {
    isBusy,
    latest,
    ...counts,
    discard: () => void doIt(discardMarked),
    discardAll: () =>
      void doIt(async () => take(await api.review.discard(session, { turn, hunks: [], all: true }))),
    undo() {
      const callId = latest?.callId;
      if (callId == null) return;
      void doIt(async () => {
        await api.changes.undo(session, { call_id: callId });
        setLatest(undefined);
        toast(words.undone);
        await read();
        return true;
      });
    },
    send: () =>
      void doIt(async () => {
        if (!(await discardMarked())) return false;
        // Before it is sent: the answer may be there at once, and open its own review.
        showView('conversation');
        await sendMessage(reviewMessage(open.comments, open.data.files), { isTyped: false });
        change(() => ({ comments: [] }));
        await flushDrafts();
        toast(words.sent);
        return true;
      }),
    commit: (message) =>
      doIt(async () => {
        if (!(await discardMarked())) return false;
        const { hash } = await api.review.commit(session, { message, turn });
        toast(words.committed(hash.slice(0, 10)));
        setLatest(undefined);
        await read();
        return true;
      }),
  };
}

/** They are carried out: brought back by an undo, a hunk is not marked any more. */
async function forgetMarks(open: OpenReview): Promise<void> {
  saveDraft(open.scope, { ...savedDraftOf(open), discard: [], edits: [] });
  await flushDrafts();
}

function countsOf({ items }: Review): Pick<Finish, 'marked' | 'edited'> {
  return {
    marked: items.filter(({ isTaken }) => !isTaken).length,
    edited: items.filter(({ isTaken, isEdited }) => isTaken && isEdited).length,
  };
}

/** What was picked is saved before anything is done with it. */
async function attempt(work: () => Promise<boolean>, setIsBusy: (isBusy: boolean) => void): Promise<boolean> {
  setIsBusy(true);
  try {
    await flushDrafts();
    return await work();
  } catch (error) {
    toastError(error);
    return false;
  } finally {
    setIsBusy(false);
  }
}

function latestOf({ call_id: callId, files }: DiscardResult): Latest {
  const refused = files.filter(({ state }) => state === 'refused');
  return {
    callId,
    files: files.length - refused.length,
    refused: refused.map(({ path, why = '' }) => ({ path, why })),
  };
}
