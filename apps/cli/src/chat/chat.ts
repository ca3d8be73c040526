// A conversation at work: the workspace, the session, the model and the role, and how any of them is changed on the way.
import type { Agent, Conversation, TurnResult } from '@codelab/agent';
import type { Actor, AgentSignal, Plan, PolicyMode, SessionLog } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { type Composed, type ComposeOptions, compose } from '@codelab/server';
import { openTurn, type Turn } from '@codelab/server/agent';
import { userName } from '../approval/user-name.ts';
import { checkIsHere } from '../audit/check-is-here.ts';
import { tellOnce } from '../output/write-text.ts';
import { modelOpener } from '../run/open-model.ts';
import { untrustedHooks } from '../run/untrusted-hooks.ts';
import { addUsage, type ChatUsage, usageIn } from './chat-usage.ts';

/** What is asked for; whatever is left out stays as it is. */
type Change = { session?: string; model?: string; profile?: string; mode?: PolicyMode };

export type Chat = AsyncDisposable & {
  readonly host: Host;
  readonly log: SessionLog;
  readonly session: string;
  readonly agent: Agent;
  readonly talk: Conversation;
  readonly mode: PolicyMode;
  readonly usage: ChatUsage;
  change(wanted: Change): Promise<void>;
  /** A turn: what was typed goes to the model, until it is done. */
  ask(text: string, signal: AbortSignal): Promise<TurnResult>;
  /** Goes on with a turn that was left open. */
  finish(signal: AbortSignal): Promise<TurnResult>;
  /** Tells the model at its next turn what the human did without it. */
  note(text: string): Promise<void>;
};

export type ChatOptions = {
  places: ComposeOptions;
  session: string;
  model: string | undefined;
  effort?: string | undefined;
  profile: string | undefined;
  listen(signal: AgentSignal): void;
  /** A call's plan, as soon as it is in the log. */
  onPlan(callId: string, plan: Plan): void;
  /** Why something named with `@` was not brought along, or the tools of an MCP server are missing. */
  onProblem(problem: string): void;
};

type Now = Composed & { session: string; turn: Turn; usage: ChatUsage; stopWatching(): void };
type Wanted = { session: string; model: string | undefined; profile: string | undefined };

export async function openChat(options: ChatOptions): Promise<Chat> {
  const { places, session, model, profile } = options;
  const wanted: Wanted = { session, model, profile };
  const opening = { ...options, warn: tellOnce(options.onProblem) };
  let now = await open(opening, await compose(places), wanted);

  async function change({ mode, ...more }: Change): Promise<void> {
    const next = { ...wanted, ...more };
    const isOther = mode !== undefined && mode !== now.config.mode;
    const composed = isOther ? await compose({ ...places, mode }) : now;
    const before = now;
    now = await open(opening, composed, next).catch(async (error: unknown) => {
      if (isOther) await composed[Symbol.asyncDispose]();
      throw error;
    });
    before.stopWatching();
    Object.assign(wanted, next);
    if (isOther) await before[Symbol.asyncDispose]();
  }
  return {
    get host() {
      return now.host;
    },
    get log() {
      return now.log;
    },
    get session() {
      return now.session;
    },
    get agent() {
      return now.turn.agent;
    },
    get talk() {
      return now.turn.talk;
    },
    get mode() {
      return now.config.mode;
    },
    get usage() {
      return now.usage;
    },
    change,
    ask: (text, signal) => now.turn.start({ text, by: person() }, signal),
    finish: (signal) => now.turn.resume(signal),
    note: (text) => now.turn.note({ text, by: person() }),
    [Symbol.asyncDispose]: () => now[Symbol.asyncDispose](),
  };
}

type Opening = ChatOptions & { warn(problems: readonly string[]): void };

async function open(options: Opening, composed: Composed, wanted: Wanted): Promise<Now> {
  const { host, agents, log } = composed;
  const { session, model, profile } = wanted;
  await checkIsHere(log, session);
  options.warn(untrustedHooks(composed.config));
  const usage = usageIn(await log.read(session));
  const emit = (signal: AgentSignal): void => {
    if (signal.type === 'reply') addUsage(usage, signal.reply.usage);
    // By then it is known whose tools could not be listed.
    if (signal.type === 'status') options.warn(host.foreign?.problems() ?? []);
    options.listen(signal);
  };
  const notice = options.onProblem;
  const openModel = modelOpener({
    home: host.home,
    root: host.workspace.root.real,
    effort: options.effort,
  });
  const turn = await openTurn({ host, agents, session, model, profile, openModel, emit, notice });
  const live = await host.session(session);
  const stopWatching = live.watch((event) => {
    const { body } = event;
    // What is pinned goes into the log beside the conversation, not through it.
    if (body.type === 'context.changed') turn.talk.apply(event);
    if (body.type === 'call.planned') options.onPlan(body.callId, body.plan);
  });
  const close = (): PromiseLike<void> => composed[Symbol.asyncDispose]();
  return { ...composed, session, turn, usage, stopWatching, [Symbol.asyncDispose]: close };
}

/** Who sits at this terminal. */
export function person(): Actor {
  return { who: userName(), via: 'codelab chat' };
}
