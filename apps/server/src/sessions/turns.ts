// The turns of one shared session: one at a time, and a turn that a gone process left open is finished once its approval is decided.
import { finishTurn, type Model, runTurn, type TurnInput, type TurnResult } from '@codelab/agent';
import {
  type Actor,
  type AgentSignal,
  cancellation,
  type DialectName,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { agentProfile } from '../agent/agent-profile.ts';
import { isTurnHeld } from '../agent/hold-turn.ts';
import { readMentions } from '../agent/mentions.ts';
import { type OpenedAgent, openAgent } from '../agent/open-agent.ts';
import type { PeerCalls } from './peer-calls.ts';

export type TurnTools = {
  host: Host;
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
  say(text: string, by: Actor, model?: string): Promise<void>;
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
  async function begin(prepare: () => Promise<Prepared>): Promise<void> {
    if (running !== undefined) throw busy();
    const stop = new AbortController();
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    running = { stop, ended };
    const over = (): void => {
      running = undefined;
      end();
    };
    let prepared: Prepared;
    try {
      prepared = await prepare();
    } catch (error) {
      over();
      throw error;
    }
    void play(prepared, stop.signal).catch(tellOr(options)).finally(over);
  }

  async function resume(approvalId: string): Promise<void> {
    const left = await findLeft(options, approvalId);
    if (left === undefined || options.calls.isUnderWay(left.id)) return;
    // A call that a peer made waits for no turn; a call of a turn is carried out by whoever runs the turn.
    if (left.turn === undefined) await options.calls.run(left);
    else goOn();
  }

  async function finish(): Promise<void> {
    await begin(async () => ({ opened: await sitDown(options), input: undefined }));
  }

  function goOn(): void {
    if (running === undefined && !isTurnHeld(options.host, options.id)) finish().catch(tellOr(options));
  }

  return {
    get isBusy() {
      return running !== undefined || waking.size > 0;
    },
    say: (text, by, model) =>
      begin(async () => ({
        opened: await sitDown(options, model),
        input: { ...(await withMentions(options, text, by)), by },
      })),
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

// Another process may hold the turn: everybody here learns why nothing comes.
function tellOr({ notice, emit, onFault }: Options): (error: unknown) => void {
  return (error) => {
    emit({ type: 'status', status: 'error' });
    if (error instanceof ToolError) notice(error.message);
    else onFault(error);
  };
}

type Prepared = { opened: OpenedAgent; input: TurnInput | undefined };

/** A turn that was left open is finished first: what it asked for must be answered before anything else is said. */
async function play({ opened, input }: Prepared, signal: AbortSignal): Promise<TurnResult | undefined> {
  const { agent, talk, leave } = opened;
  try {
    const finished = talk.isTurnOpen ? await finishTurn(agent, talk, signal) : undefined;
    if (input === undefined || signal.aborted) return finished;
    return await runTurn(agent, talk, input, signal);
  } finally {
    leave();
  }
}

async function withMentions(
  { host, id, client, profile, notice }: Options,
  text: string,
  by: Actor,
): Promise<TurnInput> {
  // What is named is where the client is: the agent reads it from there.
  if (client !== undefined) return { text };
  const { problems, ...input } = await readMentions(host, text, { session: id, profile: profile(), by });
  problems.forEach(notice);
  return input;
}

async function sitDown(options: Options, wanted?: string): Promise<OpenedAgent> {
  const { host, id, client, openModel, emit } = options;
  // Skills and sub-agents of this machine are nothing to an agent whose files are elsewhere.
  const told = client === undefined ? host : { ...host, tools: new Map() };
  const profile = await agentProfile(told, id, options.profile());
  const model = await openModel(wanted ?? profile.model);
  // A client that carries the calls out has the tools of its own dialect, and no others.
  const dialect = client === undefined ? {} : { dialect: client };
  return await openAgent({ host, session: id, model, profile, emit, openModel, ...dialect });
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
