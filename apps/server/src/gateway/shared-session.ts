// One session as several peers share it. What becomes known of it, here or in another process, is told to all listeners in order.
import type { AgentSignal, AgentStatus } from '@codelab/agent';
import type { SessionEvent } from '@codelab/protocol';
import { answerApproval, defaultProfile, type Host, pendingApprovals } from '@codelab/runtime';
import { changeContext } from '../agent/change-context.ts';
import type { Heard, SharedSession } from './gateway.ts';
import { createListeners, type Listeners } from './listeners.ts';
import { createPeerCalls, type PeerCalls } from './peer-calls.ts';
import { createTurns, type Turns, type TurnTools } from './turns.ts';

const pageOf = 500;

export type OwnSession = SharedSession &
  AsyncDisposable & {
    /** The log was seen to stand there. */
    catchUp(head: number): Promise<void>;
  };

export async function openSharedSession(options: TurnTools & { id: string }): Promise<OwnSession> {
  const { host, id } = options;
  const live = await host.session(id);
  const listeners = createListeners();
  const state: State = { isOpen: true, status: 'idle', ...(await latest(host, id)) };
  const signalled = (signal: AgentSignal): void => {
    if (signal.type === 'status') state.status = signal.status;
    // Progress is told by the host itself, for the calls of peers as well.
    if (signal.type !== 'progress') listeners.tell({ type: 'signal', signal });
  };
  const stops = [
    live.watch((event) => {
      state.seq = Math.max(state.seq, event.seq);
      listeners.tell({ type: 'event', event });
    }),
    host.progress.watch(id, (call, progress) =>
      listeners.tell({ type: 'signal', signal: { type: 'progress', callId: call.id, progress } }),
    ),
  ];
  const notice = (text: string): void => listeners.tell({ type: 'notice', text });
  const calls = createPeerCalls(host);
  const turns = createTurns({ ...options, calls, emit: signalled, notice, profile: () => state.profile });
  await live.catchUp();
  return {
    id,
    get isOpen() {
      return state.isOpen;
    },
    get status() {
      return state.status;
    },
    get profile() {
      return state.profile;
    },
    ...talking(host, id, { turns, calls }),
    async catchUp(head) {
      if (head > state.seq) await live.catchUp();
    },
    async head() {
      await live.catchUp();
      return state.seq;
    },
    listen: (wanted) => listen(host, id, listeners, wanted),
    async switchAgent(profile, reason) {
      await host.profiles.role(profile);
      const from = state.profile;
      state.profile = profile;
      listeners.tell({ type: 'switched', from, to: profile, ...(reason !== undefined && { reason }) });
    },
    async [Symbol.asyncDispose]() {
      state.isOpen = false;
      // What waits for a decision is left waiting: it is asked for after the next start.
      const waiting = new Set(pendingApprovals(live).map(({ callId }) => callId));
      calls.cancel(waiting);
      await turns.close(waiting.size > 0);
      for (const end of stops) end();
      listeners[Symbol.dispose]();
    },
  };
}

type State = { isOpen: boolean; status: AgentStatus; profile: string; seq: number };
type Talking = Omit<
  SharedSession,
  'id' | 'isOpen' | 'status' | 'profile' | 'head' | 'listen' | 'switchAgent'
>;

function talking(host: Host, id: string, { turns, calls }: { turns: Turns; calls: PeerCalls }): Talking {
  return {
    history: (wanted = {}) => host.log.read(id, wanted),
    async pending() {
      const live = await host.session(id);
      await live.catchUp();
      return pendingApprovals(live);
    },
    say: (text) => turns.say(text),
    call: (call) => calls.run({ ...call, session: id }),
    async cancel() {
      calls.cancel();
      await turns.cancel();
    },
    async decide(given) {
      await answerApproval(host, { ...given, session: id });
      turns.wakeAfterDecision(given.approvalId);
    },
    changeContext: (op, path = '') => changeContext(host, id, op === 'clear' ? { op } : { op, path }),
    async rename(title) {
      const live = await host.session(id);
      await live.commit(() => [{ type: 'session.titled', title }]);
    },
  };
}

async function* listen(
  host: Host,
  id: string,
  listeners: Listeners,
  { since, signal }: { since: number; signal: AbortSignal },
): AsyncGenerator<Heard> {
  // Listened for before it is read: what comes in between waits in the queue, and is not told twice.
  const ear = listeners.open();
  signal.addEventListener('abort', ear.close, { once: true });
  let last = since;
  try {
    for (let page = await read(host, id, last); page.length > 0; page = await read(host, id, last)) {
      for (const event of page) yield { type: 'event', event };
      last = page.at(-1)?.seq ?? last;
    }
    for await (const heard of ear) {
      if (signal.aborted) return;
      if (heard.type === 'event' && heard.event.seq <= last) continue;
      if (heard.type === 'event') last = heard.event.seq;
      yield heard;
    }
  } finally {
    signal.removeEventListener('abort', ear.close);
    ear.close();
  }
}

function read(host: Host, id: string, since: number): Promise<SessionEvent[]> {
  return host.log.read(id, { since, limit: pageOf });
}

async function latest(host: Host, id: string): Promise<{ profile: string; seq: number }> {
  const events = await host.log.read(id);
  const started = events.findLast(({ body }) => body.type === 'turn.started' && body.agent === undefined);
  const profile = started?.body.type === 'turn.started' ? started.body.profile : defaultProfile;
  return { profile, seq: events.at(-1)?.seq ?? 0 };
}
