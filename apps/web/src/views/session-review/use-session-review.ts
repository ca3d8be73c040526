// A review of past changes: the gateway's list, a person's picks, comments and viewed marks, and the actions. Each step is saved; outside
// changes are read again, and picks about vanished hunks are dropped.
import type { ReviewComment, ReviewFile, SessionReview } from '@codelab/api';
import {
  canSplitItem,
  editItem,
  type Review,
  type ReviewItem,
  restoreHunk,
  setTaken,
  splitItem,
  toggleTaken,
} from '@codelab/protocol';
import { useCallback, useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { errorMessage } from '../../error-help.ts';
import { useSession } from '../../session/session-store.ts';
import { currentText } from '../../text/use-text.ts';
import type { HunkChooser } from '../review/review-session.ts';
import { type BuiltReview, buildReview, picksOf } from './build-review.ts';
import { latestDraft, type SavedDraft, type SessionReviewScope, saveDraft } from './draft-store.ts';

export type OpenReview = {
  scope: SessionReviewScope;
  data: SessionReview;
  built: BuiltReview;
  comments: readonly ReviewComment[];
  /** `path@digest`. */
  viewed: ReadonlySet<string>;
};

export type SessionReviewState = {
  open: OpenReview | undefined;
  problem: string;
  read(): Promise<void>;
  change(step: (open: OpenReview) => Partial<Pick<OpenReview, 'built' | 'comments' | 'viewed'>>): void;
};

export function useSessionReview({ session, turn }: SessionReviewScope): SessionReviewState {
  const [open, setOpen] = useState<OpenReview | undefined>();
  const [problem, setProblem] = useState('');
  const changes = useSession(({ touched }) => touched.length);
  const read = useCallback(async () => {
    const scope = { session, turn };
    try {
      const data = await api.review.get(session, turn ?? undefined);
      setOpen((before) => openWith(scope, data, before));
      setProblem('');
    } catch (error) {
      setProblem(errorMessage(error, currentText()));
    }
  }, [session, turn]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count says that files were changed since.
  useEffect(() => {
    if (session !== '') void read();
  }, [read, session, changes]);
  useEffect(() => {
    // After a return from an editor, the page shows the present files.
    const onFocus = (): void => void (session !== '' && read());
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [read, session]);
  const isCurrent = open?.scope.session === session && open.scope.turn === turn;
  return {
    open: isCurrent ? open : undefined,
    problem,
    read,
    change(step) {
      if (open === undefined || !isCurrent) return;
      const next = { ...open, ...step(open) };
      setOpen(next);
      saveDraft(next.scope, savedDraftOf(next));
    },
  };
}

function openWith(
  scope: SessionReviewScope,
  data: SessionReview,
  before: OpenReview | undefined,
): OpenReview {
  // Nothing else is shown, so what was split stays split.
  if (before?.data.version === data.version && before.scope.turn === scope.turn) return { ...before, data };
  const draft = latestDraft(scope, data.draft);
  return {
    scope,
    data,
    built: buildReview(data.files, draft),
    comments: draft.comments,
    viewed: new Set(draft.viewed),
  };
}

export function viewedKey({ path, digest }: Pick<ReviewFile, 'path' | 'digest'>): string {
  return `${path}@${digest}`;
}

export function savedDraftOf({ data, built, comments, viewed }: OpenReview): SavedDraft {
  return {
    viewed: [...viewed],
    ...picksOf(built),
    comments: comments.filter(({ text }) => text.trim() !== ''),
    unviewed: data.files.map(viewedKey).filter((mark) => !viewed.has(mark)),
  };
}

type Choosing = Pick<
  HunkChooser,
  | 'review'
  | 'at'
  | 'editing'
  | 'canChoose'
  | 'go'
  | 'step'
  | 'toggle'
  | 'take'
  | 'split'
  | 'restore'
  | 'beginEdit'
  | 'edit'
>;

/** The hunks of an open review, as the rows work on them. */
export function useChoosing(
  { data, built, viewed }: OpenReview,
  change: SessionReviewState['change'],
): Choosing {
  const { review } = built;
  const [atKey, setAtKey] = useState('');
  const [editing, setEditing] = useState<ReviewItem | undefined>();
  // A review that is opened again starts at the first file that was not viewed.
  const isNew = ({ file }: ReviewItem): boolean => {
    const of = data.files[file];
    return of !== undefined && !viewed.has(viewedKey(of));
  };
  const at = review.items.find(({ key }) => key === atKey) ?? review.items.find(isNew) ?? review.items[0];
  // A hunk that can't be discarded is kept, whatever is picked.
  const mayChange = ({ file }: ReviewItem): boolean => data.files[file]?.gone === undefined;
  const put = (step: (review: Review) => Review): void =>
    change((open) => ({ built: { ...open.built, review: step(open.built.review) } }));
  return {
    review,
    at,
    editing,
    canChoose: true,
    go: ({ key }) => setAtKey(key),
    step(by) {
      const place = at === undefined ? -1 : review.items.indexOf(at);
      const next = review.items[Math.min(review.items.length - 1, Math.max(0, place + by))];
      if (next !== undefined) setAtKey(next.key);
      return next;
    },
    toggle(item) {
      if (mayChange(item)) put((before) => toggleTaken(before, item.key));
    },
    take: (isTaken, file) =>
      put((before) =>
        setTaken(before, isTaken, (item) => (file === undefined || item.file === file) && mayChange(item)),
      ),
    split(item) {
      if (!canSplitItem(item) || !mayChange(item)) return;
      put((before) => splitItem(before, item.key));
      setAtKey(`${item.key}.1`);
    },
    restore({ number }) {
      put((before) => restoreHunk(before, number));
      setAtKey(`${number}`);
    },
    beginEdit: (item) => setEditing(item?.hunk !== undefined && mayChange(item) ? item : undefined),
    edit: (item, hunk) => put((before) => editItem(before, item.key, hunk)),
  };
}
