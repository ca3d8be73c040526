// The turns of one shared session: one at a time, and a turn that a gone process left open is finished once its approval is decided.
import type { Model, TurnResult } from '@codelab/agent';
import {
  type Actor,
  type AgentSignal,
  cancellation,
  type DialectName,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { openTurn, type Said, type Turn } from '../agent/open-turn.ts';
import type { RunningAgents } from '../agent/running-agents.ts';
import { isTurnHeld } from '../agent/turn-log.ts';
import type { SayOptions, StartedTurn } from './gateway.ts';
import type { PeerCalls } from './session-calls.ts';

export type TurnTools = {
  host: Host;
  agents: RunningAgents;
  openModel(name?: string): Promise<Model>;
  /** Told of what no peer can be told: a defect. */
  onFault(error: unknown): void;
};

type Options = TurnTools & {
  calls: PeerCalls;
  id: string;
  /** Whose tools the client has that carries the calls out; undefined where that is done here. */
  client: DialectName | undefined;
  emit(signal: AgentSignal): void;
  notice(text: string): void;
  profile(): string;
};

export type Turns = {
  /** One runs, or is about to. */
  readonly isBusy: boolean;
  say(text: string, by: Actor, how?: SayOptions): Promise<StartedTurn>;
  cancel(by: Actor): Promise<void>;
  /** Goes on with the turn that is open, unless somebody does. */
  goOn(): void;
  /** Starts a call that was decided, or goes on with its turn, unless somebody does. */
  wakeAfterDecision(approvalId: string): void;
  /** `isWaiting`: the turn is left open, to be gone on with after the next start. */
  close(isWaiting: boolean): Promise<void>;
};

// Whoever runs a turn acts on a decision at once; after this long nobody does.
const graceMs = 2000;

export function createTurns(options: Options): Turns {
  let running: { stop: AbortController; ended: Promise<void> } | undefined;
  const waking = new Map<string, NodeJS.Timeout>();

  // Taken before the first await: of two who speak at once, one is refused.
  async function begin(how: SayOptions, said?: Said): Promise<StartedTurn> {
    if (running !== undefined) throw busy();
    const stop = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    running = { stop, ended };
    const over = (): void => {
      running = undefined;
      end();
    };
    try {
      const turn = await open(options, how);
      const { talk, agent } = turn;
      const started = { model: agent.model.name, isFirst: talk.turn === 0 };
      return { ...started, ended: play(options, { turn, said, how, stop }).finally(over) };
    } catch (error) {
      over();
      throw error;
    }
  }

  async function resume(approvalId: string): Promise<void> {
    const left = await findLeft(options, approvalId);
    if (left === undefined || options.calls.isRunning(left.id)) return;
    // A call that a peer made waits for no turn; a call of a turn is carried out by whoever runs the turn.
    if (left.turn === undefined) await options.calls.run(left);
    else goOn();
  }

  function goOn(): void {
    if (running === undefined && !isTurnHeld(options.host, options.id))
      begin({}).catch((error) => void fail(options, error));
  }

  return {
    get isBusy() {
      return running !== undefined || waking.size > 0;
    },
    say: (text, by, how = {}) => begin(how, { text, by, ...(how.files && { files: how.files }) }),
    async cancel(by) {
      running?.stop.abort(cancellation(by));
      await running?.ended;
    },
    goOn,
    wakeAfterDecision(approvalId) {
      if (waking.has(approvalId)) return;
      const timer = setTimeout(() => {
        waking.delete(approvalId);
        resume(approvalId).catch(options.onFault);
      }, graceMs);
      waking.set(approvalId, timer);
    },
    async close(isWaiting) {
      for (const timer of waking.values()) clearTimeout(timer);
      if (isWaiting) return;
      running?.stop.abort();
      await running?.ended;
    },
  };
}

async function open(
  options: Options,
  { model, profile, dialect, workingDir, watch }: SayOptions,
): Promise<Turn> {
  const { host, agents, id, client, openModel, notice } = options;
  return await openTurn({
    host,
    agents,
    session: id,
    profile: profile ?? options.profile(),
    model,
    openModel,
    // A client that carries the calls out has the tools of its own dialect, and no others.
    dialect: client ?? dialect,
    workingDir,
    isElsewhere: client !== undefined,
    notice,
    emit(signal) {
      watch?.(signal);
      options.emit(signal);
    },
  });
}

type Playing = { turn: Turn; said: Said | undefined; how: SayOptions; stop: AbortController };

async function play(options: Options, { turn, said, how, stop }: Playing): Promise<TurnResult> {
  const cancel = (): void => stop.abort(said && cancellation(said.by));
  if (how.signal?.aborted) cancel();
  how.signal?.addEventListener('abort', cancel, { once: true });
  try {
    return await (said === undefined ? turn.resume(stop.signal) : turn.start(said, stop.signal));
  } catch (error) {
    return { turn: turn.talk.turn, end: 'failed', text: '', message: fail(options, error) };
  } finally {
    how.signal?.removeEventListener('abort', cancel);
  }
}

/** Another process may hold the turn: everybody here learns why nothing comes. */
function fail({ notice, emit, onFault }: Options, error: unknown): string {
  emit({ type: 'status', status: 'error' });
  if (error instanceof ToolError) {
    notice(error.message);
    return error.message;
  }
  onFault(error);
  return 'Something went wrong in the gateway.';
}

/** The call, when it waits decided and nobody has begun it. */
async function findLeft({ host, id }: Options, approvalId: string): Promise<ToolCall | undefined> {
  const live = await host.session(id);
  await live.catchUp();
  const states = [...live.openCalls.values()];
  return states.find((state) => state.state === 'approved' && state.approval.id === approvalId)?.call;
}

function busy(): ToolError {
  return new ToolError(
    'CONCURRENT_LIMIT_EXCEEDED',
    'The agent is still at work in this session. Wait for it to be done, or cancel it.',
  );
}
