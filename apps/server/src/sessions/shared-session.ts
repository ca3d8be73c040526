// One session as several peers share it. What becomes known of it, here or in another process, is told to all subscribers in order.
import {
  type AgentSignal,
  type AgentStatus,
  type Decision,
  type DialectName,
  type Scope,
  type SessionEvent,
  type SessionLog,
  ToolError,
} from '@codelab/protocol';
import {
  answerApproval,
  defaultProfile,
  type Host,
  type LiveSession,
  pendingApprovals,
} from '@codelab/runtime';
import { changeContext } from '../agent/change-context.ts';
import { logPages } from '../log/read-log.ts';
import { actorOf, type SharedSession } from './gateway.ts';
import { adoptOrphanedCalls, createPeerCalls, type PeerCalls } from './session-calls.ts';
import { createSubscribers, listen, type Subscribers } from './subscription.ts';
import { createTurns, type Turns, type TurnTools } from './turns.ts';

export type OpenSession = SharedSession &
  AsyncDisposable & {
    /** Nobody listens, nothing is under way, and all that is known of it is in the log. */
    readonly isIdle: boolean;
    /** Starts the calls that were decided before it was opened. */
    startDecided(): void;
    /** The log was seen to stand there. */
    catchUp(head: number): Promise<void>;
  };

type Options = TurnTools & {
  id: string;
  client: DialectName | undefined;
  /** Ends the calls of this session that a client was at when the gateway went down. */
  cancelOrphaned(): Promise<void>;
};

export async function openSharedSession(options: Options): Promise<OpenSession> {
  const { host, id, client } = options;
  const live = await host.session(id);
  const subscribers = createSubscribers();
  const state: State = { isOpen: true, isSwitched: false, status: 'idle', ...(await latest(host, id)) };
  const stops = follow(host, live, { state, subscribers });
  const signalled = (signal: AgentSignal): void => {
    if (signal.type === 'status') state.status = signal.status;
    // Progress is told by the host itself, for the calls of peers as well.
    if (signal.type !== 'progress') subscribers.tell({ type: 'signal', signal });
  };
  const notice = (text: string): void => subscribers.tell({ type: 'notice', text });
  const calls = createPeerCalls(host);
  const turns = createTurns({ ...options, calls, emit: signalled, notice, profile: () => state.profile });
  await live.catchUp();
  const { stop, ...starting } = startOrphaned(options, { live, state, turns });
  stops.push(stop);
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
    get isIdle() {
      const isAtWork = turns.isBusy || calls.count > 0 || pendingApprovals(live).length > 0;
      return subscribers.count === 0 && !isAtWork && !state.isSwitched;
    },
    client,
    host,
    ...starting,
    ...talking(options, { turns, calls }),
    async catchUp(head) {
      if (head > state.seq) await live.catchUp();
    },
    async head() {
      await live.catchUp();
      return state.seq;
    },
    listen: (wanted) => listen({ log: host.log, live, subscribers, last: () => state.seq }, wanted),
    async switchAgent(profile, reason) {
      await host.profiles.role(profile);
      const from = state.profile;
      state.profile = profile;
      state.isSwitched = true;
      subscribers.tell({ type: 'switched', from, to: profile, ...(reason !== undefined && { reason }) });
    },
    async [Symbol.asyncDispose]() {
      state.isOpen = false;
      // What waits for a decision is left waiting: it is asked for after the next start.
      const waiting = new Set(pendingApprovals(live).map(({ callId }) => callId));
      // So is what a client is at: it may say later how it ended.
      if (client !== undefined)
        for (const { call, state: at } of live.openCalls.values()) if (at === 'running') waiting.add(call.id);
      await Promise.all([calls.cancel({ except: waiting }), turns.close(waiting.size > 0)]);
      for (const end of stops) end();
      subscribers[Symbol.dispose]();
    },
  };
}

/** `isSwitched`: the next turn has another role than the log knows of. */
type State = { isOpen: boolean; isSwitched: boolean; status: AgentStatus } & Latest;
type Latest = { profile: string; seq: number; isTurnOpen: boolean };
type Talking = Omit<
  SharedSession,
  'id' | 'isOpen' | 'status' | 'profile' | 'client' | 'host' | 'goOn' | 'head' | 'listen' | 'switchAgent'
>;

function talking(
  { host, id, client, cancelOrphaned }: Options,
  { turns, calls }: { turns: Turns; calls: PeerCalls },
): Talking {
  return {
    history: (wanted = {}) => host.log.read(id, wanted),
    async pending() {
      const live = await host.session(id);
      await live.catchUp();
      return pendingApprovals(live);
    },
    say: (text, by, how) => turns.say(text, actorOf(by), how),
    call: (call, by, { isConsented, signal } = {}) =>
      calls.run({ ...call, session: id, by }, { consent: isConsented ? by : undefined, signal }),
    async cancel(peer) {
      const by = actorOf(peer);
      await Promise.all([calls.cancel({ by }), cancelOrphaned().then(() => turns.cancel(by))]);
    },
    async decide(given) {
      await checkScope(host.log, id, given.decision);
      await answerApproval(host, { ...given, session: id });
      turns.wakeAfterDecision(given.approvalId);
    },
    async changeContext(op, path = '', content) {
      if (op === 'clear') return await changeContext(host, id, { op });
      if (op === 'remove_file') return await changeContext(host, id, { op, path });
      if (client !== undefined && content === undefined) throw filesElsewhere();
      return await changeContext(host, id, { op, path, content });
    },
    async rename(title) {
      const live = await host.session(id);
      await live.commit(() => [{ type: 'session.titled', title }]);
    },
  };
}

/** How the turn and the calls go on that were left by whoever had the session before. */
function startOrphaned(
  { client, onFault }: Options,
  { live, state, turns }: { live: LiveSession; state: State; turns: Turns },
): Pick<OpenSession, 'goOn' | 'startDecided'> & { stop(): void } {
  const goOnWithTurn = (): void => {
    if (state.isTurnOpen) turns.goOn();
  };
  // Without the client that has the files a turn gets nowhere.
  const onExpired = client === undefined ? goOnWithTurn : () => undefined;
  const left = adoptOrphanedCalls(live, { wake: turns.wakeAfterDecision, onExpired, onFault });
  return {
    startDecided: left.startDecided,
    goOn() {
      goOnWithTurn();
      left.startDecided();
    },
    stop: () => left[Symbol.dispose](),
  };
}

/** Tells the subscribers what becomes known of the session; returns how to stop. */
function follow(
  host: Host,
  live: LiveSession,
  { state, subscribers }: { state: State; subscribers: Subscribers },
): (() => void)[] {
  return [
    live.watch((event) => {
      state.seq = Math.max(state.seq, event.seq);
      state.isTurnOpen = isTurnOpenAfter(event, state.isTurnOpen);
      if (event.body.type === 'turn.started') state.isSwitched = false;
      subscribers.tell({ type: 'event', event });
    }),
    host.progress.watch(live.id, (call, progress) =>
      subscribers.tell({ type: 'signal', signal: { type: 'progress', callId: call.id, progress } }),
    ),
  ];
}

async function latest({ log }: Host, id: string): Promise<Latest> {
  const found: Latest = { profile: defaultProfile, seq: 0, isTurnOpen: false };
  for await (const page of logPages(log, id))
    for (const event of page) {
      const { seq, body } = event;
      found.seq = seq;
      found.isTurnOpen = isTurnOpenAfter(event, found.isTurnOpen);
      if (body.type === 'turn.started' && body.agent === undefined) found.profile = body.profile;
    }
  return found;
}

// Sub-agents work within the turn of the agent above them.
function isTurnOpenAfter({ body }: SessionEvent, isOpen: boolean): boolean {
  if (body.type === 'turn.started' && body.agent === undefined) return true;
  return body.type === 'turn.ended' && body.agent === undefined ? false : isOpen;
}

function filesElsewhere(): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    'The files of this session are with the client that carries its calls out, so none can be pinned here without its text. Send it as `content`, or let the agent read it.',
    { field: 'content' },
  );
}

// How far a rule that is remembered may reach: in a session that belongs to one of several people, no further than that session, since
// the workspace and the machine are everybody's.
type RuleScope = Exclude<Scope, 'once'>;

export async function scopesIn(log: SessionLog, session: string): Promise<RuleScope[]> {
  const [first] = await log.read(session, { limit: 1 });
  const isOwned = first?.body.type === 'session.opened' && first.body.owner !== undefined;
  return isOwned ? ['session'] : ['session', 'workspace', 'user'];
}

async function checkScope(log: SessionLog, session: string, decision: Decision): Promise<void> {
  const scope = 'remember' in decision ? decision.remember?.scope : undefined;
  if (scope === undefined || scope === 'once' || (await scopesIn(log, session)).includes(scope)) return;
  throw new ToolError(
    'PERMISSION_DENIED',
    'A rule can be remembered for this session only; the gateway’s operator decides for the workspace.',
    { scope },
  );
}
