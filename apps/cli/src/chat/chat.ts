// A conversation at work: the workspace, the session, the model and the role, and how any of them is changed on the way.
import { type Agent, type Conversation, finishTurn, runTurn, type TurnResult } from '@codelab/agent';
import type { Actor, AgentSignal, Plan, SessionLog } from '@codelab/protocol';
import type { Host, PolicyMode } from '@codelab/runtime';
import { type Composed, type ComposeOptions, compose } from '@codelab/server';
import { agentProfile, openAgent, readMentions } from '@codelab/server/agent';
import { userName } from '../approval/user-name.ts';
import { checkIsHere } from '../audit/check-is-here.ts';
import { tellOnce } from '../output/tell-once.ts';
import { openChosenModel } from '../run/open-model.ts';
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
  profile: string | undefined;
  listen(signal: AgentSignal): void;
  /** A call's plan, as soon as it is in the log. */
  onPlan(callId: string, plan: Plan): void;
  /** Why something named with `@` was not brought along, or the tools of an MCP server are missing. */
  onProblem(problem: string): void;
};

type Now = Composed & { session: string; agent: Agent; talk: Conversation; usage: ChatUsage; leave(): void };
type Wanted = { session: string; model: string | undefined; profile: string | undefined };

export async function openChat(options: ChatOptions): Promise<Chat> {
  const { places, session, model, profile } = options;
  const wanted: Wanted = { session, model, profile };
  const seat = { ...options, warn: tellOnce(options.onProblem) };
  let now = await sitDown(seat, await compose(places), wanted);

  async function change({ mode, ...more }: Change): Promise<void> {
    const next = { ...wanted, ...more };
    const isOther = mode !== undefined && mode !== now.config.mode;
    const composed = isOther ? await compose({ ...places, mode }) : now;
    const before = now;
    now = await sitDown(seat, composed, next).catch(async (error: unknown) => {
      if (isOther) await composed[Symbol.asyncDispose]();
      throw error;
    });
    before.leave();
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
      return now.agent;
    },
    get talk() {
      return now.talk;
    },
    get mode() {
      return now.config.mode;
    },
    get usage() {
      return now.usage;
    },
    change,
    async ask(text, signal) {
      const { host, agent, talk } = now;
      const asking = { session: now.session, profile: agent.profile.name, by: person() };
      const { problems, ...input } = await readMentions(host, text, asking);
      problems.forEach(options.onProblem);
      return await runTurn(agent, talk, { ...input, by: person() }, signal);
    },
    finish: (signal) => finishTurn(now.agent, now.talk, signal),
    note: (text) => takeNote(now, text),
    [Symbol.asyncDispose]: () => now[Symbol.asyncDispose](),
  };
}

type Seat = ChatOptions & { warn(problems: readonly string[]): void };

async function sitDown(options: Seat, composed: Composed, wanted: Wanted): Promise<Now> {
  const { host, log, config } = composed;
  const { session } = wanted;
  await checkIsHere(log, session);
  const profile = await agentProfile(host, session, wanted.profile);
  const model = await openChosenModel(wanted.model, profile.model);
  const usage = usageIn(await log.read(session));
  const emit = (signal: AgentSignal): void => {
    if (signal.type === 'reply') addUsage(usage, signal.reply.usage);
    // By then it is known whose tools could not be listed.
    if (signal.type === 'status') options.warn(host.foreign?.problems() ?? []);
    options.listen(signal);
  };
  const { agent, talk } = await openAgent({
    host,
    session,
    model,
    profile,
    emit,
    openModel: openChosenModel,
  });
  const live = await host.session(session);
  const leave = live.watch((event) => {
    const { body } = event;
    // What is pinned goes into the log beside the conversation, not through it.
    if (body.type === 'context.changed') talk.apply(event);
    if (body.type === 'call.planned') options.onPlan(body.callId, body.plan);
  });
  const close = (): PromiseLike<void> => composed[Symbol.asyncDispose]();
  return { host, log, config, session, agent, talk, usage, leave, [Symbol.asyncDispose]: close };
}

// A turn without an answer: the model reads it before what is said next.
async function takeNote({ agent, talk }: Now, text: string): Promise<void> {
  const turn = talk.turn + 1;
  const { model, profile } = agent;
  const events = await agent.journal.record([
    { type: 'turn.started', turn, text, model: model.name, profile: profile.name, by: person() },
    { type: 'turn.ended', turn, end: 'completed' },
  ]);
  for (const event of events) talk.apply(event);
}

/** Who sits at this terminal. */
export function person(): Actor {
  return { who: userName(), via: 'codelab chat' };
}
