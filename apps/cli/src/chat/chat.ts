// A running conversation: the workspace, the session, the model and the role, and how each of them is changed.
import type { Agent, Conversation, TurnResult } from '@codelab/agent';
import type {
  Actor,
  AgentSignal,
  Plan,
  PolicyMode,
  SessionEvent,
  SessionLog,
  Usage,
} from '@codelab/protocol';
import { type Host, type LiveSession, userName } from '@codelab/runtime';
import { type Composed, type ComposeOptions, compose } from '@codelab/server';
import { type OpenTurn, openTurn, type TurnMessage } from '@codelab/server/agent';
import { checkWorkspace } from '../audit/find-sessions.ts';
import { modelOpener, tellOnce, untrustedHooks } from '../run/prepare-turn.ts';

/** The changes to make; a field that is left out stays as it is. */
type Change = { session?: string; model?: string; profile?: string; mode?: PolicyMode };

export type TerminalChat = AsyncDisposable & {
  readonly host: Host;
  readonly log: SessionLog;
  readonly session: string;
  readonly live: LiveSession;
  readonly agent: Agent;
  readonly conversation: Conversation;
  readonly mode: PolicyMode;
  readonly usage: ChatUsage;
  /** Whether bell and notifications are wanted. */
  readonly notifies: boolean;
  change(change: Change): Promise<void>;
  /** Applies from the next call on, also while a turn runs. */
  changeMode(mode: PolicyMode): Promise<void>;
  /** Runs a turn with this text until it ends. */
  ask(text: string, signal: AbortSignal): Promise<TurnResult>;
  /** Runs a turn with images or other parts, or without a text. */
  start(message: Omit<TurnMessage, 'by'>, signal: AbortSignal): Promise<TurnResult>;
  /** Continues an interrupted turn. */
  finish(signal: AbortSignal): Promise<TurnResult>;
  /** Tells the model at its next turn what the user did without it. */
  note(text: string): Promise<void>;
};

export type TerminalChatOptions = {
  places: ComposeOptions;
  session: string;
  model: string | undefined;
  effort?: string | undefined;
  profile: string | undefined;
  /** A user is at the screen, so approvals wait for them. */
  isAttended?: boolean;
  listen(signal: AgentSignal): void;
  /** Called with a call's plan as soon as the log has it. */
  onPlan(callId: string, plan: Plan): void;
  /** Called when a turn has ended; the next one starts only after it. */
  afterTurn?(turn: number): Promise<void>;
  /** Called when the model received a queued message within the turn. */
  onSteered?(text: string): void;
  /** Called when the queue has changed, here or elsewhere. */
  onQueue?(): void;
  /** Called with the reason why a file named with `@` was not sent, or the tools of an MCP server are missing. */
  onProblem(problem: string): void;
};

type Now = { session: string; live: LiveSession; turn: OpenTurn; usage: ChatUsage; stopWatching(): void } & {
  /** The mode that the model knows of. */
  toldMode: PolicyMode;
};
type Wanted = { session: string; model: string | undefined; profile: string | undefined };

export async function openTerminalChat(options: TerminalChatOptions): Promise<TerminalChat> {
  const { places, session, model, profile } = options;
  const requested: Wanted = { session, model, profile };
  const opening = { ...options, warn: tellOnce(options.onProblem) };
  const composed = await compose(places);
  const { host, log } = composed;
  let now = await open(opening, composed, requested).catch(async (error: unknown) => {
    await composed[Symbol.asyncDispose]();
    throw error;
  });
  const modeNow = (): PolicyMode => host.rules.modeOf(now.live);
  // A mode that is named for this chat also applies to the session that it resumes.
  if (places.mode !== undefined) await changeMode(places.mode);

  async function reopen(next: Wanted): Promise<void> {
    const before = now;
    now = await open(opening, composed, next);
    before.stopWatching();
    Object.assign(requested, next);
  }

  async function change({ mode = modeNow(), ...others }: Change): Promise<void> {
    const isOtherSession = others.session !== undefined && others.session !== now.session;
    if (!isOtherSession) await changeMode(mode);
    await reopen({ ...requested, ...others });
    if (isOtherSession && now.live.mode === undefined) await changeMode(mode);
  }

  // A session without a turn is not created for a setting: the first turn records it.
  async function changeMode(mode: PolicyMode): Promise<void> {
    host.rules.mode = mode;
    if ((await log.read(now.session, { limit: 1 })).length > 0) await recordMode(now.live, mode);
  }

  async function start(message: Omit<TurnMessage, 'by'>, signal: AbortSignal): Promise<TurnResult> {
    await recordMode(now.live, modeNow());
    if (now.toldMode !== modeNow()) await reopen({ ...requested });
    return await concluded(now.turn.start({ ...message, by: person() }, signal), options);
  }

  const actions: ChatActions = {
    ...{ host, log, notifies: composed.config.notifications },
    change,
    changeMode,
    ask: (text, signal) => start({ text }, signal),
    start,
    finish: (signal) => concluded(now.turn.resume(signal), options),
    note: (text) => now.turn.note({ text, by: person() }),
    [Symbol.asyncDispose]: () => composed[Symbol.asyncDispose](),
  };
  return Object.assign(
    currentState(() => now, modeNow),
    actions,
  );
}

async function concluded(
  running: Promise<TurnResult>,
  { afterTurn }: Pick<TerminalChatOptions, 'afterTurn'>,
): Promise<TurnResult> {
  const result = await running;
  await afterTurn?.(result.turn);
  return result;
}

type ChatState = Pick<TerminalChat, 'session' | 'live' | 'agent' | 'conversation' | 'mode' | 'usage'>;
type ChatActions = Omit<TerminalChat, keyof ChatState>;

/** Getters, because a chat may change its session, model or role. */
function currentState(now: () => Now, mode: () => PolicyMode): ChatState {
  return {
    get session() {
      return now().session;
    },
    get live() {
      return now().live;
    },
    get agent() {
      return now().turn.agent;
    },
    get conversation() {
      return now().turn.talk;
    },
    get mode() {
      return mode();
    },
    get usage() {
      return now().usage;
    },
  };
}

async function recordMode(live: LiveSession, mode: PolicyMode): Promise<void> {
  const by = person();
  await live.commit(() => (live.mode === mode ? [] : [{ type: 'mode.changed', mode, by }]), {
    durable: true,
  });
}

type Opening = TerminalChatOptions & { warn(problems: readonly string[]): void };

async function open(options: Opening, composed: Composed, requested: Wanted): Promise<Now> {
  const { host, agents, log } = composed;
  const { session, model, profile } = requested;
  await checkWorkspace(log, session, host.workspace.root.real);
  options.warn(untrustedHooks(composed.config));
  const usage = usageIn(await log.read(session));
  const emit = (signal: AgentSignal): void => {
    if (signal.type === 'reply') addUsage(usage, signal.reply.usage);
    // Only now is it known which MCP servers could not list their tools.
    if (signal.type === 'status') options.warn(host.foreign?.problems() ?? []);
    options.listen(signal);
  };
  const notice = options.onProblem;
  const openModel = modelOpener({
    home: host.home,
    root: host.workspace.root.real,
    effort: options.effort,
  });
  const { isAttended } = options;
  const turn = await openTurn({
    ...{ host, agents, session, model, profile, openModel, emit, notice },
    isAttended,
  });
  const live = await host.session(session);
  const stopWatching = live.watch((event) => {
    const { body } = event;
    // Pinned texts go into the log beside the conversation, not through it.
    if (body.type === 'context.changed') turn.talk.apply(event);
    if (body.type === 'call.planned') options.onPlan(body.callId, body.plan);
    if (body.type === 'turn.steered') options.onSteered?.(body.text);
    if (body.type.startsWith('message.') || 'message' in body) options.onQueue?.();
  });
  return { session, live, turn, usage, stopWatching, toldMode: host.rules.modeOf(live) };
}

/** The user at this terminal. */
export function person(): Actor {
  return { who: userName(), via: 'codelab chat' };
}

/** The cost of a session: read from its log once, then added up. */
type ChatUsage = {
  replies: number;
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  /** Of the replies whose price is known; undefined when none is. */
  cost: number | undefined;
  /** Replies that used tokens of a model without a price. */
  unpriced: number;
};

function usageIn(events: readonly SessionEvent[]): ChatUsage {
  const usage: ChatUsage = {
    replies: 0,
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cost: undefined,
    unpriced: 0,
  };
  for (const { body } of events) if (body.type === 'model.replied') addUsage(usage, body.reply.usage);
  return usage;
}

function addUsage(usage: ChatUsage, { inputTokens, outputTokens, cachedTokens = 0, cost }: Usage): void {
  usage.replies++;
  usage.inputTokens += inputTokens;
  usage.outputTokens += outputTokens;
  usage.cachedTokens += cachedTokens;
  if (cost !== undefined) usage.cost = (usage.cost ?? 0) + cost;
  else if (inputTokens + outputTokens > 0) usage.unpriced++;
}
