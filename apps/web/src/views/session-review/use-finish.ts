// The end of a review: marked hunks are discarded, comments go to the agent, the rest is committed. Discarding always comes first, and a
// refusal stops the steps after it.
import type { DiscardResult } from '@codelab/api';
import { type Review, reviewMessage, visibleLine } from '@codelab/protocol';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import { sendMessage } from '../conversation/composer/send-message.ts';
import { picksOf } from './build-review.ts';
import { flushDrafts, saveDraft } from './draft-store.ts';
import { useReviewWords } from './review-words.ts';
import { type OpenReview, type SessionReviewState, savedDraftOf, viewedKey } from './use-session-review.ts';

type Latest = {
  callId: string | null;
  changes: number;
  paths: readonly string[];
  refused: readonly { path: string; why: string }[];
};

export type Finish = {
  isBusy: boolean;
  /** The result of the latest discard, which can be undone from here. */
  latest: Latest | undefined;
  /** How many hunks are marked to be discarded, and how many of the others are written anew. */
  marked: number;
  edited: number;
  /** How many hunks stay as they are. */
  keptHunks: number;
  /** Files whose hunks were to be discarded and were not, until they are viewed as they are now: they are not committed. */
  held: readonly string[];
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
  const held = heldOf(latest, open);
  const steps = useSteps(open, state, setLatest);
  const run = (step: () => Promise<boolean>): Promise<boolean> => attempt(step, setIsBusy);
  return {
    isBusy,
    latest,
    ...countsOf(open.built.review),
    held,
    discard: () => void run(steps.discardMarked),
    discardAll: () => void run(steps.discardAll),
    undo() {
      const callId = latest?.callId;
      if (callId != null) void run(() => steps.undo(callId));
    },
    send: () => void run(steps.send),
    commit: (message) => run(() => steps.commit(message, held)),
  };
}

/** The final steps of a review. Each resolves to whether it was done. */
type Steps = {
  discardMarked(): Promise<boolean>;
  discardAll(): Promise<boolean>;
  undo(callId: string): Promise<boolean>;
  send(): Promise<boolean>;
  commit(message: string, held: readonly string[]): Promise<boolean>;
};

function useSteps(
  open: OpenReview,
  { change, read }: SessionReviewState,
  setLatest: (latest: Latest | undefined) => void,
): Steps {
  const words = useReviewWords();
  const { session, turn } = open.scope;
  const takeResult = async (result: DiscardResult): Promise<boolean> => {
    const next = latestOf(result, open);
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
      showView('conversation');
      await sendMessage(reviewMessage(open.comments, open.data.files), { isTyped: false });
      change(() => ({ comments: [] }));
      await flushDrafts();
      toast(words.sent);
      return true;
    },
    async commit(message, held) {
      if (!(await discardMarked())) return false;
      const { hash } = await commitOthers(open, held, message);
      toast(words.committed(hash.slice(0, 10)));
      setLatest(undefined);
      await read();
      return true;
    },
  };
}

/** Commits all files of the review but those that are held. */
function commitOthers({ scope, data }: OpenReview, held: readonly string[], message: string) {
  const paths = data.commit?.paths.filter((path) => !held.includes(path));
  const wish = { message, turn: scope.turn };
  return api.review.commit(scope.session, held.length === 0 || !paths ? wish : { ...wish, paths });
}

/** The marks are carried out: a hunk that an undo brings back is not marked any more. */
async function forgetMarks(open: OpenReview): Promise<void> {
  saveDraft(open.scope, { ...savedDraftOf(open), discard: [], edits: [] });
  await flushDrafts();
}

function countsOf({ items }: Review): Pick<Finish, 'marked' | 'edited' | 'keptHunks'> {
  return {
    keptHunks: items.filter(({ isTaken }) => isTaken).length,
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

/** The gateway can't name the file of a hunk that is gone; the review that was shown can. */
function latestOf({ call_id: callId, files }: DiscardResult, { data }: OpenReview): Latest {
  const paths = new Map(data.files.flatMap(({ path, hunks }) => hunks.map(({ id }) => [id, path])));
  const refused = files.filter(({ state }) => state === 'refused');
  const done = files.filter(({ state }) => state === 'done');
  const reasons = new Map(
    refused.map(({ path, hunks, why = '' }) => [paths.get(hunks[0] ?? '') ?? path, why]),
  );
  return {
    callId,
    ...{
      paths: done.map(({ path }) => visibleLine(path)),
      changes: done.reduce((sum, { hunks }) => sum + Math.max(1, hunks.length), 0),
    },
    refused: [...reasons].map(([path, why]) => ({ path, why })),
  };
}

function heldOf(latest: Latest | undefined, { data, viewed }: OpenReview): string[] {
  const refused = new Set(latest?.refused.map(({ path }) => path));
  return data.files
    .filter((file) => refused.has(file.path) && !viewed.has(viewedKey(file)))
    .flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
}
