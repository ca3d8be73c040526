// The turns of one shared session, one at a time. A turn that a dead process left open is finished once its approval is decided.
import { compact, type Model, requestPrefix } from '@codelab/agent';
import {
  type Actor,
  type AgentSignal,
  cancellation,
  type DialectName,
  lazily,
  ToolError,
} from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import type { RunningAgents } from '../../agent/host-agents.ts';
import { type OpenTurn, openTurn, type TurnMessage } from '../../agent/open-turn.ts';
import { isTurnHeld } from '../../agent/turn-log.ts';
import type { SayOptions, SendOptions, StartedTurn } from '../gateway.ts';
import type { PeerCalls } from '../session-calls.ts';
import { createDelivery, type MessageDelivery, saidIn } from './deliver-messages.ts';
import { beginPlay, fail } from './play-turn.ts';

export type TurnTools = {
  host: Host;
  agents: RunningAgents;
  openModel(name?: string): Promise<Model>;
  /** Called with a defect that has no peer to report to. */
  onFault(error: unknown): void;
};

type Options = TurnTools & {
  calls: PeerCalls;
  id: string;
  /** The dialect of the client that runs the calls; undefined where this gateway runs them. */
  client: DialectName | undefined;
  emit(signal: AgentSignal): void;
  notice(text: string): void;
  profile(): string;
};

export type Turns = {
  /** Whether a turn runs or is about to. */
  readonly isBusy: boolean;
  /** Resolves when none runs. */
  settled(): Promise<void>;
  say(text: string, by: Actor, how?: SayOptions): Promise<StartedTurn>;
  /** Begins a turn, or queues the message while one runs; returns the id of one that was queued. */
  send(text: string, by: Actor, how: SendOptions): Promise<string | undefined>;
  /** A turn without a message: the model continues where the previous turn stopped, or the request is repeated. */
  continue(by: Actor, how?: SayOptions): Promise<void>;
  /** Sums up the older part of the conversation; false when there is nothing to sum up. */
  compact(): Promise<boolean>;
  /** Begins a turn with the next queued message, unless one runs. */
  deliver(): void;
  cancel(by: Actor): Promise<void>;
  /** Continues the open turn, unless another process does. */
  goOn(): void;
  /** Starts a decided call, or continues its turn, unless another process does. */
  wakeAfterDecision(approvalId: string): void;
  /** `isWaiting`: the turn stays open, to be continued after the next start. */
  close(isWaiting: boolean): Promise<void>;
};

// A process that runs a turn acts on a decision immediately; after this time none does.
const graceMs = 2000;

export function createTurns(options: Options): Turns {
  const slot = createSlot();
  const waking = createTimers(graceMs);
  const onFailure = (error: unknown): void => void fail(options, error);
  const delivery = lazily(() => createDelivery(options, { begin, running: slot.running, onFailure }));

  async function begin(how: SayOptions, message?: TurnMessage): Promise<StartedTurn> {
    const { stop, over, starting } = slot.take(message?.message);
    return await starting(beginIn(options, { how, message, stop, over, afterTurn: delivery().afterTurn }));
  }

  function goOn(): void {
    if (slot.running() === undefined && !isTurnHeld(options.host, options.id)) begin({}).catch(onFailure);
  }

  return {
    get isBusy() {
      return slot.running() !== undefined || waking.count > 0;
    },
    settled: async () => await slot.running()?.ended,
    say: (text, by, how = {}) => begin(how, saidIn(text, by, how)),
    send: async (text, by, how) => await delivery().send(text, by, how),
    async continue(by, how = {}) {
      await begin(how, { text: '', by, again: true });
    },
    async compact() {
      const { stop, over } = slot.take();
      // Messages that were queued meanwhile are delivered afterwards.
      return await sumUp(options, stop.signal).finally(over).finally(delivery().deliver);
    },
    deliver: () => delivery().deliver(),
    async cancel(by) {
      slot.running()?.stop.abort(cancellation(by));
      await slot.running()?.ended;
    },
    goOn,
    wakeAfterDecision(approvalId) {
      waking.start(approvalId, () => void startLeft(options, approvalId, goOn).catch(options.onFault));
    },
    async close(isWaiting) {
      waking.stop();
      if (isWaiting) return;
      slot.running()?.stop.abort();
      await slot.running()?.ended;
    },
  };
}

type Beginning = {
  how: SayOptions;
  message: TurnMessage | undefined;
  stop: AbortController;
  over(): void;
  afterTurn: MessageDelivery['afterTurn'];
};

async function beginIn(options: Options, beginning: Beginning): Promise<StartedTurn> {
  const { how, message, stop, over, afterTurn } = beginning;
  try {
    const turn = await open(options, how);
    const { talk, agent } = turn;
    const started = { model: agent.model.name, isFirst: talk.turn === 0 };
    const { ended } = await beginPlay(options, { turn, message, how, stop }, over);
    return { ...started, ended: ended.then(afterTurn) };
  } catch (error) {
    over();
    throw error;
  }
}

/** Starts the call that is decided and not started, or continues its turn. */
async function startLeft({ host, id, calls }: Options, approvalId: string, goOn: () => void): Promise<void> {
  const live = await host.session(id);
  await live.catchUp();
  const states = [...live.openCalls.values()];
  const decidedCall = states.find(
    (state) => state.state === 'approved' && state.approval.id === approvalId,
  )?.call;
  if (decidedCall === undefined || calls.isRunning(decidedCall.id)) return;
  // A standalone call waits for no turn; a call of a turn is run by the process that runs the turn.
  if (decidedCall.turn === undefined) await calls.run(decidedCall);
  else goOn();
}

type Running = {
  stop: AbortController;
  ended: Promise<void>;
  message: string | undefined;
  /** Resolves once the start is as far as its sender waits for, and rejects when the turn will not start. */
  started: Promise<unknown>;
};

/** One turn runs at a time. The slot is taken before the first await: of two concurrent senders, one is refused. */
function createSlot() {
  let running: Running | undefined;
  return {
    running: (): Running | undefined => running,
    take(message?: string): {
      stop: AbortController;
      over(): void;
      starting<T>(start: Promise<T>): Promise<T>;
    } {
      if (running !== undefined) throw busy();
      const stop = new AbortController();
      const { promise, resolve } = Promise.withResolvers<void>();
      const ownRun: Running = { stop, ended: promise, message, started: promise };
      running = ownRun;
      const over = (): void => {
        running = undefined;
        resolve();
      };
      const starting = <T>(start: Promise<T>): Promise<T> => {
        ownRun.started = start;
        return start;
      };
      return { stop, over, starting };
    },
  };
}

/** At most one timer for each key. */
function createTimers(ms: number) {
  const timers = new Map<string, NodeJS.Timeout>();
  return {
    get count() {
      return timers.size;
    },
    start(key: string, work: () => void): void {
      if (timers.has(key)) return;
      const end = (): void => {
        timers.delete(key);
        work();
      };
      timers.set(key, setTimeout(end, ms));
    },
    stop(): void {
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}

async function open(
  options: Options,
  { model, profile, dialect, workingDir, watch, isAttended }: SayOptions,
): Promise<OpenTurn> {
  const { host, agents, id, client, openModel, notice } = options;
  return await openTurn({
    host,
    agents,
    session: id,
    profile: profile ?? options.profile(),
    model,
    openModel,
    // A client that runs the calls has only the tools of its own dialect.
    dialect: client ?? dialect,
    workingDir,
    isElsewhere: client !== undefined,
    isAttended,
    notice,
    emit(signal) {
      watch?.(signal);
      options.emit(signal);
    },
  });
}

async function sumUp(options: Options, signal: AbortSignal): Promise<boolean> {
  const { agent, talk } = await open(options, {});
  using _held = await agent.log.hold();
  // A turn that waits for a person is continued unchanged.
  if (talk.isTurnOpen) throw busy();
  const prefix = await requestPrefix(agent, talk, signal);
  return await compact(agent, talk, signal, { prefix, isForced: true });
}

function busy(): ToolError {
  return new ToolError(
    'CONCURRENT_LIMIT_EXCEEDED',
    'The agent is still at work in this session. Wait for it to be done, or cancel it.',
  );
}
