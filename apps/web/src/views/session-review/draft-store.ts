// The draft of a review on its way to the gateway. What the gateway has not confirmed yet is kept by this browser, so that a reload in
// the middle of it loses nothing.
import type { ReviewDraftBody } from '@codelab/api';
import { api } from '../../api/api.ts';
import { remembered } from '../../remembered.ts';
import { toastError } from '../../ui/toast.tsx';

/** `turn`: null is the whole session. */
export type SessionReviewScope = { session: string; turn: number | null };

/** `unviewed` are files that are shown and not viewed, whatever other reviews of the session say. */
export type SavedDraft = ReviewDraftBody & { unviewed?: string[] };

const waitMs = 250;
const mostKept = 20;
const unsaved = remembered<Record<string, SavedDraft>>('review-drafts', {});
const queue = new Map<string, { scope: SessionReviewScope; draft: SavedDraft }>();
let timer: ReturnType<typeof setTimeout> | undefined;
let saving: Promise<void> | undefined;

/** A draft that this browser has not saved yet replaces the gateway's, and is saved now. */
export function latestDraft(scope: SessionReviewScope, saved: ReviewDraftBody): ReviewDraftBody {
  const key = keyOf(scope);
  const drafts = unsaved.read();
  const draft = Object.hasOwn(drafts, key) ? drafts[key] : undefined;
  if (draft === undefined) return saved;
  queue.set(key, { scope, draft });
  void flushDrafts();
  return draft;
}

export function saveDraft(scope: SessionReviewScope, draft: SavedDraft): void {
  const key = keyOf(scope);
  const { [key]: _old, ...others } = unsaved.read();
  unsaved.write(Object.fromEntries([...Object.entries(others).slice(1 - mostKept), [key, draft]]));
  queue.set(key, { scope, draft });
  timer ??= setTimeout(() => void flushDrafts(), waitMs);
}

/** Settles when the gateway has everything, or has refused it. */
export async function flushDrafts(): Promise<void> {
  clearTimeout(timer);
  timer = undefined;
  await saving;
  saving = saveAll().finally(() => {
    saving = undefined;
  });
  await saving;
}

async function saveAll(): Promise<void> {
  for (let next = [...queue][0]; next !== undefined; next = [...queue][0]) {
    const [key, { scope, draft }] = next;
    queue.delete(key);
    try {
      await api.review.saveDraft(scope.session, { turn: scope.turn, ...draft });
      if (!queue.has(key)) forget(key);
    } catch (error) {
      // The draft stays in this browser; the next change, or the next opening, tries to save it again.
      toastError(error);
    }
  }
}

function forget(key: string): void {
  const { [key]: _saved, ...others } = unsaved.read();
  unsaved.write(others);
}

function keyOf({ session, turn }: SessionReviewScope): string {
  return `${session}:${turn ?? ''}`;
}
