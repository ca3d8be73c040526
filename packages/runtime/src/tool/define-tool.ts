// A tool is one value: what it takes, what it would do (plan, reads only), doing it (run), and telling the model.
import {
  type Effect,
  type HunkChoice,
  type Kind,
  type Limits,
  lazily,
  type Outcome,
  type Phrase,
  type Plan,
  type PlanDraft,
  type Seen,
  type SessionLog,
  type Touch,
} from '@codelab/protocol';
import type * as z from 'zod/mini';
import type { LanguageServers } from '../lsp/language-servers.ts';
import type { Supervisor } from '../process/supervised/supervisor.ts';
import type { CommitLock } from '../workspace/commit/commit-lock.ts';
import type { ReadCache } from '../workspace/text-files.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { Profile } from './profile.ts';

/** What the user's configuration says about the sandbox: used where there is one, insisted upon, or not wanted. */
export type SandboxChoice = 'auto' | 'required' | 'off';

/** A tool is one value: what it takes, what it would do (plan, reads only), doing it (run), and telling the model. */
type Completed = Extract<Outcome, { status: 'completed' }>;

/** What an earlier call gave back: a text, or a file that holds all a command printed. `seen` are the files it shows. */
export type CallOutput = { tool: string; seen: readonly string[] } & ({ text: string } | { file: string });

export type PlanContext = {
  workspace: Workspace;
  /** A client has the files of the session: the workspace here is an empty folder. */
  hasNoFiles?: true;
  home: string;
  limits: Limits;
  signal: AbortSignal;
  cache: ReadCache;
  log: SessionLog;
  lock: CommitLock;
  /** Whether commands are held in a sandbox, as the user wants it. */
  sandbox: SandboxChoice;
  /** More folders that commands may read which nobody was asked about. */
  shows: readonly string[];
  /** Names of variables that commands are given besides the usual ones, from the user's own configuration. */
  environment: readonly string[];
  /** The only hosts that commands reach with the network; empty when it is not limited. */
  hosts: readonly string[];
  /** The processes that commands start; made when the first of them is asked about. */
  processes(): Supervisor;
  lsp: LanguageServers;
  session: string;
  /** The roles that hold for the call: its own, and those of the agents above it. */
  roles: readonly Profile[];
  /** Whether a rule of the user's own lets a file be read unasked; what is found by searching is not shown otherwise. */
  mayRead(path: string): boolean;
  /** Whether a rule denies this tool to read a file: then nothing is told of it. */
  isDenied(tool: string, path: string): boolean;
  /** How the latest call of a tool in this session ended that was completed. */
  latest(tool: string): Promise<Completed | undefined>;
  /** What a call of this session gave back. */
  output(callId: string): Promise<CallOutput | undefined>;
  /** Which version of a file this session has read or written last. */
  seen(path: string): string | undefined;
  /** The text of a file that an editor holds and has not saved; undefined where there is none, or the file has that text by now. */
  unsaved(path: string): string | undefined;
};

export type RunContext = PlanContext & {
  callId: string;
  /** The arguments as they were given, without the defaults that parsing adds. */
  args: Record<string, unknown>;
  /** Where old things are kept. */
  slot: string;
  /** A person approved this call, or a rule of theirs allows it; otherwise it runs because its mode or kind lets it. */
  isAsked: boolean;
  /** Work that may end after the call has; `closing` tells it to stop. */
  later(work: Promise<void>): void;
  closing: AbortSignal;
  /** Work for when the outcome is in the log; not done when it never gets there. */
  onRecorded(work: () => void): void;
  /** What the human chose, for tools that ask. */
  answer: string | undefined;
  /** The hunks they took, for tools that show a diff to choose from. */
  choice: HunkChoice | undefined;
  /** Tells whoever watches this call how far it is; the same shape as the result, not kept in the log. */
  report(progress: Record<string, unknown>): void;
};

/** `intents` are the effects that `run` will try, known to the log before it starts; `prepared` is for `run` alone. */
export type Planned<P, Texts extends PlanDraft = PlanDraft> = {
  plan: Texts;
  /** Everything inside a directory that goes with it: judged like the rest, but too much to show. */
  within?: Touch[];
  intents: Effect[];
  /** The tool may change things that nobody can name before it has run; its start is recorded even without intents. */
  isUnforeseeable?: boolean;
  /** More sets of changes are planned while the call runs: its start is recorded even when the first set is empty. */
  hasLaterSets?: boolean;
  /** A client carries it out where the files are: it takes no place among the calls that run here. */
  isElsewhere?: boolean;
  /** What the call comes to with these arguments, when that is less than the tool can do. */
  kind?: Kind;
  /** Another tool that does the same with these arguments: rules about either of them hold. */
  sameAs?: string;
  /** Why a human is asked when no rule speaks, although the kind alone would run. */
  caution?: Phrase | undefined;
  /** Why a human is asked in every mode, whatever rules allow, and the name that this goes by. */
  mustAsk?: { rule: string; reason: Phrase };
  prepared: P;
};

/** The plan of a call with its texts in English. */
export type PlannedCall = Planned<unknown, Plan>;

/** `seen` are the versions of files that the caller knows now. */
export type ToolRunResult<O> = { data: O; effects: Effect[]; seen?: Seen[] };

/** A call whose process is gone. `held` are paths that were taken away from what it left. */
export type DeadCall = Pick<
  RunContext,
  'workspace' | 'home' | 'slot' | 'session' | 'callId' | 'log' | 'lock' | 'later' | 'closing'
> & { held: ReadonlySet<string> };

/** What such a call has changed; `forget` is for when that is recorded. */
export type RecoveredEffects = {
  effects: Effect[];
  notes: string[];
  /** Number of changes beyond those in `effects`. */
  notRecorded: number;
  forget(): void;
};

type ToolSpec<I, O, P> = {
  name: string;
  kind: Kind;
  /** The tool starts an agent, whose own calls are judged one by one: the call takes no place and has no time limit. */
  startsAgents?: true;
  /** The tool returns the unsaved text of a file where there is one. */
  readsUnsaved?: true;
  summary: string;
  /** Made when it is needed: a short command needs one of them. */
  input: () => z.ZodMiniType<I>;
  /** What others say it takes, when it is theirs: shown instead of `input`, which then lets everything pass. */
  jsonSchema?: Readonly<Record<string, unknown>>;
  output: () => z.ZodMiniType<O>;
  plan(input: I, context: PlanContext): Planned<P> | Promise<Planned<P>>;
  run(input: I, prepared: P, context: RunContext): ToolRunResult<O> | Promise<ToolRunResult<O>>;
  /** The same call reduced to the hunks that a human took, as they edited them. The choice fits the diff of the plan. */
  narrow?(input: I, prepared: P, choice: HunkChoice): I;
  /** For a tool that does not name beforehand what it changes. */
  recover?(dead: DeadCall): Promise<RecoveredEffects>;
  tell(output: O): string;
  /** The same for clients that take the text for the result itself. */
  tellPlainly?(output: O): string;
};

/** A tool whose own types are settled inside; the runtime passes back only what the tool itself made. */
export type Tool = {
  name: string;
  kind: Kind;
  startsAgents?: true;
  readsUnsaved?: true;
  summary: string;
  input: () => z.ZodMiniType;
  jsonSchema?: Readonly<Record<string, unknown>>;
  output: () => z.ZodMiniType;
  plan(input: unknown, context: PlanContext): Promise<Planned<unknown>>;
  run(
    input: unknown,
    prepared: unknown,
    context: RunContext,
  ): Promise<ToolRunResult<Record<string, unknown>>>;
  narrow: ((input: unknown, prepared: unknown, choice: HunkChoice) => Record<string, unknown>) | undefined;
  recover?(dead: DeadCall): Promise<RecoveredEffects>;
  tell(output: Record<string, unknown>): string;
  tellPlainly(output: Record<string, unknown>): string;
};

export function defineTool<I extends object, O extends object, P>(spec: ToolSpec<I, O, P>): Tool {
  const narrow = spec.narrow?.bind(spec);
  return {
    name: spec.name,
    kind: spec.kind,
    ...(spec.startsAgents && { startsAgents: true }),
    ...(spec.readsUnsaved && { readsUnsaved: true }),
    summary: spec.summary,
    input: lazily(spec.input),
    ...(spec.jsonSchema && { jsonSchema: spec.jsonSchema }),
    output: lazily(spec.output),
    plan: async (input, context) => spec.plan(input as I, context),
    run: async (input, prepared, context) =>
      (await spec.run(input as I, prepared as P, context)) as ToolRunResult<Record<string, unknown>>,
    narrow:
      narrow &&
      ((input, prepared, choice) => narrow(input as I, prepared as P, choice) as Record<string, unknown>),
    ...(spec.recover && { recover: spec.recover.bind(spec) }),
    tell: (output) => spec.tell(output as O),
    tellPlainly: (output) => spec.tellPlainly?.(output as O) ?? spec.tell(output as O),
  };
}

/** Tools that others offer, such as MCP servers: asked for only when a call names one or somebody lists what there is. */
export type ToolSource = AsyncDisposable & {
  /** Of all of them: nobody here knows what they do. */
  kind: Kind;
  find(name: string, signal: AbortSignal): Promise<Tool | undefined>;
  /** The same list again while nothing has changed. `isSoon`: without those who keep us waiting; they are in a later list. */
  list(signal: AbortSignal, isSoon?: boolean): Promise<readonly Tool[]>;
  /** Why some are missing from the list, for people. */
  problems(): readonly string[];
  tell(output: Record<string, unknown>): string;
};

/** The list stays as it is, because it only describes the tools; a tool that is to be called is decorated. */
export function decorateSource(foreign: ToolSource, decorate: (tool: Tool) => Tool): ToolSource {
  return {
    ...foreign,
    async find(name, signal) {
      const tool = await foreign.find(name, signal);
      return tool && decorate(tool);
    },
  };
}
