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

export function useFinish(open: OpenReview, state: SessionReviewState): Finish {
  const [isBusy, setIsBusy] = useState(false);
  const [latest, setLatest] = useState<Finish['latest']>();
  const steps = useSteps(open, state, setLatest);
  const run = (step: () => Promise<boolean>): Promise<boolean> => attempt(step, setIsBusy);
  return {
    isBusy,
    latest,
    ...countsOf(open.built.review),
    discard: () => void run(steps.discardMarked),
    discardAll: () => void run(steps.discardAll),
    undo() {
      const callId = latest?.callId;
      if (callId != null) void run(() => steps.undo(callId));
    },
    send: () => void run(steps.send),
    commit: (message) => run(() => steps.commit(message)),
  };
}

/** What a review can come to. Each step resolves with whether it was done. */
type Steps = {
  discardMarked(): Promise<boolean>;
  discardAll(): Promise<boolean>;
  undo(callId: string): Promise<boolean>;
  send(): Promise<boolean>;
  commit(message: string): Promise<boolean>;
};

function useSteps(
  open: OpenReview,
  { change, read }: SessionReviewState,
  setLatest: (latest: Latest | undefined) => void,
): Steps {
  const words = useReviewWords();
  const { session, turn } = open.scope;
  const takeResult = async (result: DiscardResult): Promise<boolean> => {
    const next = latestOf(result);
    setLatest(next);
    if (next.refused.length === 0) await forgetMarks(open);
    await read();
    return next.refused.length === 0;
  };
  const discardMarked = async (): Promise<boolean> => {
    const { marked, edited } = countsOf(open.built.review);
    if (marked + edited === 0) return true;
    const { discard: hunks, edits } = picksOf(open.built);
    return await takeResult(await api.review.discard(session, { turn, hunks, edits }));
  };
  return {
    discardMarked,
    discardAll: async () => takeResult(await api.review.discard(session, { turn, hunks: [], all: true })),
    async undo(callId) {
      await api.changes.undo(session, { call_id: callId });
      setLatest(undefined);
      toast(words.undone);
      await read();
      return true;
    },
    async send() {
      if (!(await discardMarked())) return false;
      // The view changes before the message is sent: the answer may come at once, and open its own review.
      showView('conversation');
      await sendMessage(reviewMessage(open.comments, open.data.files), { isTyped: false });
      change(() => ({ comments: [] }));
      await flushDrafts();
      toast(words.sent);
      return true;
    },
    async commit(message) {
      if (!(await discardMarked())) return false;
      const { hash } = await api.review.commit(session, { message, turn });
      toast(words.committed(hash.slice(0, 10)));
      setLatest(undefined);
      await read();
      return true;
    },
  };
}

/** The marks are carried out: a hunk that an undo brings back is not marked any more. */
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

/** Drafts are saved before anything is done with them. */
async function attempt(step: () => Promise<boolean>, setIsBusy: (isBusy: boolean) => void): Promise<boolean> {
  setIsBusy(true);
  try {
    await flushDrafts();
    return await step();
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
