// The calls of a workspace that have started and have no outcome yet, with their announced changes. Each session with such a call is read
// from its end back to where the call was received.
import type { Effect, Owner, Plan, SessionEvent, SessionLog, UnfinishedCall } from '@codelab/protocol';

export type RunningCall = {
  session: string;
  callId: string;
  /** Undefined where the start was not found. */
  owner: Owner | undefined;
  slot: string;
  startedAt: number;
  /** The changes that the call announced at its start. */
  intents: readonly Effect[];
  /** Paths that its plan names to be written, created or deleted. */
  names: readonly string[];
  /** A command changes more than it names. */
  isCommand: boolean;
};

const atOnce = 32;
// The start of a call that runs is near the end of its session; further back it is not searched for.
const mostEntries = 512;

/** Ask before you ask which calls have finished: a call that ends in between is in one of the two answers. */
export async function runningCalls(log: SessionLog, workspace: string): Promise<RunningCall[]> {
  const calls: RunningCall[] = [];
  for (const call of await log.unfinished(workspace)) {
    const running = await findStart(log, call);
    if (running !== undefined) calls.push(running);
  }
  return calls;
}

// A running call without a known start may have changed any file at any time.
const unknown: Omit<RunningCall, 'session' | 'callId'> = {
  ...{ owner: undefined, slot: '', startedAt: 0, intents: [], names: [], isCommand: true },
};

type Started = Pick<RunningCall, 'owner' | 'slot' | 'startedAt' | 'intents'>;

async function findStart(
  log: SessionLog,
  { session, callId, head }: UnfinishedCall,
): Promise<RunningCall | undefined> {
  let started: Started | undefined;
  let plan: Plan | undefined;
  for (let end = head; end > Math.max(0, head - mostEntries); end -= atOnce) {
    const since = Math.max(0, end - atOnce);
    const page = await log.read(session, { since, limit: end - since });
    for (const event of page.toReversed()) {
      if (isReceived(event, callId)) return started && running({ session, callId }, started, plan);
      const { body, time } = event;
      // A call that waits for an agent changes nothing; the calls of the agent have starts of their own.
      if (body.type === 'call.received' && body.call.agent === callId) return undefined;
      if (body.type === 'call.started' && body.callId === callId) started ??= { ...body, startedAt: time };
      // A call that was edited is planned again: the last plan holds.
      if (body.type === 'call.planned' && body.callId === callId) plan ??= body.plan;
    }
  }
  return started === undefined
    ? { ...unknown, session, callId }
    : running({ session, callId }, started, plan);
}

function isReceived({ body }: SessionEvent, callId: string): boolean {
  return body.type === 'call.received' && body.call.id === callId;
}

function running(
  ref: { session: string; callId: string },
  { owner, slot, startedAt, intents }: Started,
  plan: Plan | undefined,
): RunningCall {
  const names = (plan?.touches ?? []).filter(({ access }) => access !== 'read').map(({ path }) => path);
  return { ...ref, owner, slot, startedAt, intents, names, isCommand: plan?.command !== undefined };
}
