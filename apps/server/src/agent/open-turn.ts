// The one way to start, resume and cancel a turn: the gateway, Kode's service, `codelab run` and the chat all come here. A turn is
// cancelled by its signal; a `cancellation` as the reason says who did.
import {
  type Agent,
  type AgentProfile,
  Conversation,
  finishTurn,
  type Model,
  resultTokens,
  runTurn,
  type TurnInput,
  type TurnLog,
  type TurnResult,
} from '@codelab/agent';
import {
  type Actor,
  type AgentSignal,
  type DialectName,
  type ImagePart,
  imageLimits,
  type SessionEvent,
} from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { agentProfile } from './agent-profile.ts';
import { workspaceTexts } from './context/context-files.ts';
import { describeEnvironment } from './context/environment.ts';
import { createTouchedFolders, type TouchedFolders } from './context/instructions.ts';
import { type MentionedFiles, readMentions } from './context/mentions.ts';
import type { OpenHooks } from './hooks.ts';
import type { RunningAgents } from './host-agents.ts';
import { createLocalHost } from './local-host.ts';
import { queuedMessages } from './message-queue.ts';
import { addNote, type Note, openTurnLog } from './turn-log.ts';

export type TurnOptions = {
  host: Host;
  agents: RunningAgents;
  session: string;
  /** The role; the usual one when none is named. */
  profile?: string | undefined;
  /** The model of this turn, in place of the role's own; `lastModel` is used when neither is named. */
  model?: string | undefined;
  lastModel?: string | undefined;
  /** Opens a model by name, or the configured one. */
  openModel(name?: string): Promise<Model>;
  /** The dialect of the model's tools; our own by default. */
  dialect?: DialectName | undefined;
  /** The folder that the tools' relative paths start from, where the dialect has one. */
  workingDir?: string | undefined;
  /** The files are with a client that carries the calls out: nothing of this machine is shown to the model. */
  isElsewhere?: boolean;
  /** A person is at the session: approvals wait for them, unless the configuration limits the time. */
  isAttended?: boolean | undefined;
  /** Text added at the end of the role's prompt. */
  systemAppend?: string | undefined;
  /** Called before each request to the model. */
  limit?: Agent['limit'];
  emit(signal: AgentSignal): void;
  /** Called with the reason why something named with `@` is not shown to the model, or why the model does not accept it. */
  notice?(text: string): void;
};

/** A person's message: the model gets `files` and `images` besides those that the text names with `@`. */
export type TurnMessage = {
  text: string;
  by: Actor;
  files?: readonly string[];
  images?: readonly ImagePart[];
  /** Texts that are no files, such as standard input. */
  texts?: readonly { path: string; text: string }[];
  /** The id of the message. */
  message?: string | undefined;
  /** No message is sent: the model continues where the previous turn stopped, or is asked again. */
  again?: true;
  /** Called when the turn is recorded; throws when the turn must not begin any more. */
  check?(): void;
};

/** A conversation that is ready for turns, one after the other. */
export type OpenTurn = {
  readonly agent: Agent;
  readonly talk: Conversation;
  /** Finishes an open turn first: its calls must be answered before the next message. */
  start(message: TurnMessage, signal: AbortSignal): Promise<TurnResult>;
  /** Goes on with the turn that is open. */
  resume(signal: AbortSignal): Promise<TurnResult>;
  note(note: Note): Promise<void>;
};

export async function openTurn(options: TurnOptions): Promise<OpenTurn> {
  const { host, agents, session, openModel, emit, dialect, limit, notice } = options;
  const location = { workingDir: options.workingDir, isElsewhere: options.isElsewhere };
  const describing = describeEnvironment(host, session, location);
  const profile = await profileOf(options);
  const model = await openModel(options.model ?? profile.model ?? options.lastModel);
  const { log, events } = await openTurnLog(host, session);
  const hooks = await openHooks(options, events);
  const tools = createLocalHost(host, session, { ...location, dialect, ...hooks.ofCalls });
  const conversation = new Conversation((outcome) => tools.tell(outcome, resultTokens(model.contextTokens)));
  const touched = createTouchedFolders();
  for (const event of events) {
    conversation.apply(event);
    touched.note(event);
  }
  const texts = workspaceTexts(host, session, { hasFiles: !options.isElsewhere, touched, notice });
  const agent: Agent = {
    ...{ model, profile, host: tools, log, texts, environment: await describing, emit },
    takeSteering: (turn) => takeSteered(options, { log, turn, role: profile.name }),
    ...(limit && { limit }),
    ...(notice && { notice }),
    ...(options.isAttended && { isAttended: true }),
  };
  const running = { agent, talk: conversation, openModel };
  return {
    agent,
    talk: conversation,
    async start(message, signal) {
      const input = await inputOf(options, message, profile.name);
      using _running = agents.add(running);
      using _watched = await watchCalls(host, session, touched);
      if (conversation.isTurnOpen) {
        const finished = await hooks.afterTurn(await finishTurn(agent, conversation, signal));
        if (signal.aborted || finished.end === 'unanswered') return finished;
      }
      return await hooks.afterTurn(await runTurn(agent, conversation, input, signal));
    },
    async resume(signal) {
      using _running = agents.add(running);
      using _watched = await watchCalls(host, session, touched);
      return await hooks.afterTurn(await finishTurn(agent, conversation, signal));
    },
    async note(note) {
      await addNote(host, session, note, { model: model.name, profile: profile.name });
      for (const event of await log.news()) conversation.apply(event);
    },
  };
}

async function profileOf(options: TurnOptions): Promise<AgentProfile> {
  const { host, session, systemAppend } = options;
  const visibleHost = options.isElsewhere ? { ...host, tools: new Map() } : host;
  const role = await agentProfile(visibleHost, session, options.profile);
  return systemAppend ? { ...role, prompt: `${role.prompt}\n\n${systemAppend}` } : role;
}

/** Records the folders that calls touch during a turn. */
async function watchCalls(host: Host, session: string, touched: TouchedFolders): Promise<Disposable> {
  const live = await host.session(session);
  const stop = live.watch((event) => touched.note(event));
  return { [Symbol.dispose]: () => void stop() };
}

/** Hooks are loaded only when there are some. Where a client has the files, there are none to run here. */
async function openHooks(options: TurnOptions, events: readonly SessionEvent[]): Promise<OpenHooks> {
  const { hooks } = options.agents;
  if (hooks === undefined || options.isElsewhere) return { ofCalls: {}, afterTurn: async (result) => result };
  return (await import('./hooks.ts')).openHooks(hooks, options, events);
}

/** Queued messages for the next step, recorded within the turn. */
async function takeSteered(
  options: TurnOptions,
  { log, turn, role }: { log: TurnLog; turn: number; role: string },
): Promise<SessionEvent[]> {
  const { host, session } = options;
  const queued = await queuedMessages(host, session);
  const steering = queued.filter(({ delivery }) => delivery === 'step');
  if (steering.length === 0) return [];
  const live = await host.session(session);
  const read = await Promise.all(
    steering.map(async ({ id, text, by, images }) => {
      const { files, images: inputImages } = await inputOf(options, { text, by, images: images ?? [] }, role);
      const attached = { ...(files && { files }), ...(inputImages && { images: inputImages }) };
      return { type: 'turn.steered' as const, turn, message: id, text, by, ...attached };
    }),
  );
  // A message that was changed or removed while its files were read is left out.
  return await log.recordIf(() =>
    read.filter(({ message, text }) => live.messages.waiting.get(message)?.text === text),
  );
}

async function inputOf(
  { host, session, isElsewhere, notice }: TurnOptions,
  { text, by, files = [], images = [], texts = [], message, again, check }: TurnMessage,
  profile: string,
): Promise<TurnInput> {
  // Mentioned files are where the client is: the agent reads them from there.
  const nothing: MentionedFiles = { text, problems: [] };
  const textWithFiles = [text, ...files.map((path) => `@"${path}"`)].join(' ');
  const mentions = isElsewhere ? nothing : await readMentions(host, textWithFiles, { session, profile, by });
  const attached = [...images, ...(mentions.images ?? [])].slice(0, imageLimits.count);
  const shownTexts = [...(mentions.files ?? []), ...texts];
  const input = {
    by,
    ...(message !== undefined && { message }),
    ...(again && { again }),
    ...(check && { check }),
    ...(shownTexts.length > 0 && { files: shownTexts }),
    ...(attached.length > 0 && { images: attached }),
  };
  if (isElsewhere) return { ...input, text };
  // A program attached the files, so the notes on missing ones go to the model, not to a person.
  if (files.length > 0) return { ...input, text: [text, ...mentions.problems].join('\n') };
  for (const problem of mentions.problems) notice?.(problem);
  return { ...input, text };
}
