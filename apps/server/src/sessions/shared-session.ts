// One session shared by several peers. All its events, from this process or another one, reach all subscribers in order.
import { type AgentSignal, type DialectName, ToolError } from '@codelab/protocol';
import { answerApproval, type Host, type LiveSession, pendingApprovals } from '@codelab/runtime';
import { changeContext } from '../agent/context/context-files.ts';
import { deliversAfter } from '../agent/message-queue.ts';
import { describeOwnCall } from '../agent/outcome-for-model.ts';
import type { OwnWorktree } from '../worktrees/worktree-hosts.ts';
import { actorOf, type Peer, type SayOptions, type SharedSession } from './gateway.ts';
import { adoptOrphanedCalls, createPeerCalls, type PeerCalls } from './session-calls.ts';
import { checkScope } from './session-header.ts';
import { applySignal, follow, openState, type State } from './session-state.ts';
import { createSubscribers, listen, type Subscribers } from './subscriptions/subscription.ts';
import { createTurns, type Turns, type TurnTools } from './turns/turns.ts';

export type OpenSession = SharedSession &
  AsyncDisposable & {
    /** Without subscribers and running work, and with everything in the log. */
    readonly isIdle: boolean;
    /** Tells subscribers to connect again, because another gateway serves the session. */
    noteMoved(): void;
    /** Starts the calls that were decided before the session was opened. */
    startDecided(): void;
    /** The log was seen to stand there. */
    catchUp(head: number): Promise<void>;
  };

type Options = TurnTools & {
  id: string;
  client: DialectName | undefined;
  worktree?: OwnWorktree | undefined;
  /** Ends the calls of this session that a client was at when the gateway went down. */
  cancelOrphaned(): Promise<void>;
};

export async function openSharedSession(options: Options): Promise<OpenSession> {
  const { host, id, client, worktree } = options;
  const live = await host.session(id);
  const subscribers = createSubscribers();
  const state = await openState(host, id);
  const stops = follow(host, live, { state, subscribers });
  const emit = (signal: AgentSignal): void => applySignal({ state, subscribers }, signal);
  const notice = (text: string): void => subscribers.tell({ type: 'notice', text });
  const calls = createPeerCalls(host);
  const turns = createTurns({ ...options, calls, emit, notice, profile: () => state.profile });
  await live.catchUp();
  const { stop, ...starting } = startOrphaned(options, { live, state, turns });
  stops.push(stop);
  return {
    id,
    get isOpen() {
      return state.isOpen;
    },
    get isMoved() {
      return state.isMoved;
    },
    get status() {
      return state.status;
    },
    get profile() {
      return state.profile;
    },
    get isIdle() {
      return subscribers.count === 0 && !state.isSwitched && !isAtWork(live, { turns, calls });
    },
    ...{ client, host, worktree },
    ...starting,
    ...talking(options, { turns, calls, state }),
    ...keptUp(live, state),
    listen: (options) =>
      listen({ log: host.log, live, subscribers, last: () => state.seq, reply: () => state.reply }, options),
    switchAgent: switchAgentOf(host, { state, subscribers }),
    async [Symbol.asyncDispose]() {
      state.isOpen = false;
      await endWork(live, { turns, calls }, { client, isMoved: state.isMoved });
      for (const end of stops) end();
      subscribers[Symbol.dispose]();
    },
  };
}

function switchAgentOf(
  host: Host,
  { state, subscribers }: { state: State; subscribers: Subscribers },
): SharedSession['switchAgent'] {
  return async (profile, reason) => {
    await host.profiles.role(profile);
    const from = state.profile;
    state.profile = profile;
    state.isSwitched = true;
    subscribers.tell({ type: 'switched', from, to: profile, ...(reason !== undefined && { reason }) });
  };
}

function keptUp(live: LiveSession, state: State): Pick<OpenSession, 'catchUp' | 'head' | 'noteMoved'> {
  return {
    async catchUp(head) {
      if (head > state.seq) await live.catchUp();
    },
    async head() {
      await live.catchUp();
      return state.seq;
    },
    noteMoved() {
      state.isMoved = true;
    },
  };
}

type Work = { turns: Turns; calls: PeerCalls };

async function endWork(
  live: LiveSession,
  { turns, calls }: Work,
  { client, isMoved }: { client: DialectName | undefined; isMoved: boolean },
): Promise<void> {
  // Pending approvals stay pending: they are asked again after the next start.
  const waiting = new Set(pendingApprovals(live).map(({ callId }) => callId));
  // Calls that a client carries out stay open as well: the client may report their end later.
  if (client !== undefined)
    for (const { call, state: at } of live.openCalls.values()) if (at === 'running') waiting.add(call.id);
  // Another gateway now waits for the decision. If this one kept waiting, it would interfere when the session comes back.
  if (isMoved) waiting.clear();
  await Promise.all([calls.cancel({ except: waiting }), turns.close(waiting.size > 0)]);
}

function isAtWork(live: LiveSession, { turns, calls }: Work): boolean {
  return turns.isBusy || calls.count > 0 || pendingApprovals(live).length > 0;
}

type Talking = Omit<
  SharedSession,
  | 'id'
  | 'isOpen'
  | 'isMoved'
  | 'status'
  | 'profile'
  | 'client'
  | 'host'
  | 'worktree'
  | 'goOn'
  | 'head'
  | 'listen'
  | 'switchAgent'
>;

function talking(options: Options, { turns, calls, state }: Work & { state: State }): Talking {
  const { host, id, client, cancelOrphaned } = options;
  return {
    history: (options = {}) => host.log.read(id, options),
    async pending() {
      const live = await host.session(id);
      await live.catchUp();
      return pendingApprovals(live);
    },
    say: (text, by, how = {}) => turns.say(text, actorOf(by), attendedBy(by, how)),
    send: (text, by, how) => turns.send(text, actorOf(by), attendedBy(by, how)),
    continue: (by, how = {}) => turns.continue(actorOf(by), attendedBy(by, how)),
    compact: turns.compact,
    call: callOf(options, { turns, calls, state }),
    async cancel(peer) {
      const by = actorOf(peer);
      await Promise.all([calls.cancel({ by }), cancelOrphaned().then(() => turns.cancel(by))]);
    },
    async decide(request) {
      await checkScope(host.log, id, request.decision);
      await answerApproval(host, { ...request, session: id });
      turns.wakeAfterDecision(request.approvalId);
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
    async changeMode(mode, { subject, via }) {
      const live = await host.session(id);
      const by = { who: subject, via };
      await live.commit(() => (live.mode === mode ? [] : [{ type: 'mode.changed', mode, by }]), {
        durable: true,
      });
    },
  };
}

/** Runs a call of a peer. With `isTold` the agent gets it as well. */
function callOf(
  { host, id, openModel, onFault }: Options,
  { turns, calls, state }: Work & { state: State },
): SharedSession['call'] {
  return async (call, by, { isConsented, isTold, signal } = {}) => {
    // The changes belong to the turn that reports them, and are undone with it.
    const turn = isTold && !turns.isBusy ? { turn: state.turn + 1 } : {};
    const ownCall = { ...call, ...turn, session: id, by };
    // A repeated call is answered from the log, and the agent already got it.
    const isNew = (await host.session(id)).finished(call.id) === undefined;
    const outcome = await calls.run(ownCall, { consent: isConsented ? by : undefined, signal });
    if (isTold && isNew) {
      const role = { profile: state.profile, openModel: () => openModel() };
      const described = turns.settled().then(() => describeOwnCall(host, ownCall, outcome, role));
      // A running turn may take long; the caller does not wait for its end.
      if (turns.isBusy) described.catch(onFault);
      else await described;
    }
    return outcome;
  };
}

/** Continues the turn and the calls that the session's previous gateway left. */
function startOrphaned(
  { client, onFault }: Options,
  { live, state, turns }: { live: LiveSession; state: State; turns: Turns },
): Pick<OpenSession, 'goOn' | 'startDecided'> & { stop(): void } {
  const goOnWithTurn = (): void => {
    if (state.isTurnOpen) turns.goOn();
  };
  // Without the client that has the files a turn can't proceed.
  const onExpired = client === undefined ? goOnWithTurn : () => undefined;
  const orphanedCalls = adoptOrphanedCalls(live, { wake: turns.wakeAfterDecision, onExpired, onFault });
  return {
    startDecided: orphanedCalls.startDecided,
    goOn({ isAsked = false } = {}) {
      goOnWithTurn();
      const delivers = isAsked || (state.end !== undefined && deliversAfter(state.end));
      if (!state.isTurnOpen && delivers) turns.deliver();
      orphanedCalls.startDecided();
    },
    stop: () => orphanedCalls[Symbol.dispose](),
  };
}

// The user of a signed-in page is there to be asked.
function attendedBy<T extends SayOptions>(by: Peer, how: T): T {
  return { ...how, isAttended: how.isAttended ?? by.page !== undefined };
}

function filesElsewhere(): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    'The files of this session are with the client that carries its calls out, so none can be pinned here without its text. Send it as `content`, or let the agent read it.',
    { field: 'content' },
  );
}
