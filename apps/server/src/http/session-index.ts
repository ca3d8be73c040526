// What a list of sessions shows of each.
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ApprovalRequest, SessionEvent, SessionSummary } from '@codelab/protocol';
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
  /** What waits for a human, by its call. */
  waiting: ReadonlyMap<string, ApprovalRequest>;
};

export type SessionIndex = {
  of(session: string): Promise<SessionFacts>;
  all(sessions: readonly SessionSummary[]): Promise<{ id: string; facts: SessionFacts }[]>;
};

const most = 10_000;
const shownTitle = 80;
// Others must be served while a long list is read for the first time.
const sliceMs = 20;

type Kept = Omit<SessionFacts, 'waiting'> & { isNamed: boolean; waiting: Map<string, ApprovalRequest> };

export function createSessionIndex({ log }: Host): SessionIndex {
  const fold = createSessionFold<Kept>(log, { blank, take }, { most });
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
    waiting: new Map(),
  };
}

function take(facts: Kept, { seq, time, body }: SessionEvent): void {
  facts.seq = seq;
  facts.createdAt ??= time;
  facts.updatedAt = time;
  switch (body.type) {
    case 'session.opened':
    case 'session.titled':
      facts.isNamed = body.title !== undefined;
      facts.title = body.title ?? facts.title;
      return;
    case 'turn.started':
      if (body.agent !== undefined) return;
      facts.turns++;
      facts.profile = body.profile;
      if (!facts.isNamed && facts.title === '') facts.title = body.text.slice(0, shownTitle);
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
