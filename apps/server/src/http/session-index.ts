// The entries of a list of sessions.
import { setImmediate as nextTurn } from 'node:timers/promises';
import {
  type ApprovalRequest,
  createMessageQueue,
  type MessageQueue,
  type PolicyMode,
  type SessionEvent,
  type SessionSummary,
  type TurnEnd,
  titleFrom,
} from '@codelab/protocol';
import { defaultProfile, type Host } from '@codelab/runtime';
import { createSessionFold } from './work/session-fold.ts';

export type SessionFacts = {
  seq: number;
  title: string;
  createdAt: number | undefined;
  updatedAt: number | undefined;
  turns: number;
  /** The role of the latest turn. */
  profile: string;
  /** The session's own mode; undefined until one is chosen. */
  mode: PolicyMode | undefined;
  /** The pending approvals, by call. */
  waiting: ReadonlyMap<string, ApprovalRequest>;
  messages: Pick<MessageQueue, 'waiting'>;
  isTurnOpen: boolean;
  /** How the latest turn ended. */
  end: TurnEnd | undefined;
  forkedFrom: { session: string; seq: number } | undefined;
  worktree: WorktreeFacts | undefined;
};

type WorktreeFacts = { path: string; branch: string; isDropped: boolean; mergedInto: string | null };

export type SessionIndex = {
  of(session: string): Promise<SessionFacts>;
  all(sessions: readonly SessionSummary[]): Promise<{ id: string; facts: SessionFacts }[]>;
};

const maxSessions = 10_000;
// Other requests are served while a long list is read for the first time.
const sliceMs = 20;

type Kept = Omit<SessionFacts, 'waiting'> & {
  isNamed: boolean;
  waiting: Map<string, ApprovalRequest>;
  messages: MessageQueue;
};

export function createSessionIndex({ log }: Host): SessionIndex {
  const fold = createSessionFold<Kept>(log, { blank, take }, { most: maxSessions });
  return {
    of: (session) => fold(session),
    async all(sessions) {
      const found: { id: string; facts: SessionFacts }[] = [];
      let since = performance.now();
      for (const { id, head } of sessions) {
        found.push({ id, facts: await fold(id, head) });
        if (performance.now() - since < sliceMs) continue;
        await nextTurn();
        since = performance.now();
      }
      return found;
    },
  };
}

function blank(): Kept {
  return {
    seq: 0,
    title: '',
    isNamed: false,
    createdAt: undefined,
    updatedAt: undefined,
    turns: 0,
    profile: defaultProfile,
    mode: undefined,
    waiting: new Map(),
    messages: createMessageQueue(),
    isTurnOpen: false,
    end: undefined,
    forkedFrom: undefined,
    worktree: undefined,
  };
}

function take(facts: Kept, event: SessionEvent): void {
  const { seq, time, body } = event;
  facts.messages.apply(event);
  facts.seq = seq;
  facts.createdAt ??= time;
  facts.updatedAt = time;
  switch (body.type) {
    case 'session.opened':
      facts.forkedFrom = body.forkedFrom;
      facts.isNamed = body.title !== undefined;
      facts.title = body.title ?? facts.title;
      if (body.worktree !== undefined) facts.worktree = madeWorktree(body.workspace, body.worktree.branch);
      return;
    case 'worktree.merged':
      if (facts.worktree !== undefined) facts.worktree.mergedInto = body.into;
      return;
    case 'worktree.dropped':
      if (facts.worktree !== undefined) facts.worktree.isDropped = true;
      return;
    case 'session.titled':
      facts.isNamed = true;
      facts.title = body.title;
      return;
    case 'turn.started':
      if (body.agent !== undefined) return;
      facts.turns++;
      facts.isTurnOpen = true;
      facts.profile = body.profile;
      if (!facts.isNamed && facts.title === '') facts.title = titleFrom(body.text);
      return;
    case 'turn.ended':
      if (body.agent !== undefined) return;
      facts.isTurnOpen = false;
      facts.end = body.end;
      return;
    case 'mode.changed':
      facts.mode = body.mode;
      return;
    case 'approval.requested':
      facts.waiting.set(body.callId, body.approval);
      return;
    case 'approval.decided':
    case 'approval.expired':
    case 'call.finished':
      facts.waiting.delete(body.callId);
      return;
    default:
      return;
  }
}

function madeWorktree(path: string, branch: string): WorktreeFacts {
  return { path, branch, isDropped: false, mergedInto: null };
}
