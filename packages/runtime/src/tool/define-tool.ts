// A tool is one value: its input schema, its plan (reads only), its run, and its report to the model.
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

/** The configured use of the sandbox: used where available, required, or off. */
export type SandboxChoice = 'auto' | 'required' | 'off';

/** A tool is one value: what it takes, what it would do (plan, reads only), doing it (run), and telling the model. */
type Completed = Extract<Outcome, { status: 'completed' }>;

/** The output of an earlier call: a text, or a file with a command's whole output. `seen` are the files it shows. */
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
  /** The configured use of the sandbox for commands. */
  sandbox: SandboxChoice;
  /** Further folders that unasked commands may read. */
  shows: readonly string[];
  /** Names of variables that commands get besides the usual ones, from the user's own configuration. */
  environment: readonly string[];
  /** The only hosts that commands with the network can reach; empty when there is no limit. */
  hosts: readonly string[];
  /** The processes that commands start; created on first use. */
  processes(): Supervisor;
  lsp: LanguageServers;
  session: string;
  /** The roles of the call: its own, and those of the agents above it. */
  roles: readonly Profile[];
  /** Whether a rule of the user lets a file be read unasked; search results omit all other files. */
  mayRead(path: string): boolean;
  /** Whether a rule denies this tool to read a file: then results do not mention it. */
  isDenied(tool: string, path: string): boolean;
  /** The outcome of a tool's latest completed call in this session. */
  latest(tool: string): Promise<Completed | undefined>;
  /** The output of a call of this session. */
  output(callId: string): Promise<CallOutput | undefined>;
  /** The version of a file at this session's last read or write. */
  seen(path: string): string | undefined;
  /** The unsaved text of a file in an editor; undefined when there is none, or the file has that text by now. */
  unsaved(path: string): string | undefined;
};

export type RunContext = PlanContext & {
  callId: string;
  /** The arguments as the caller passed them, without the defaults that parsing adds. */
  args: Record<string, unknown>;
  /** The quarantine slot for replaced content. */
  slot: string;
  /** A person approved this call, or a rule of theirs allows it; otherwise it runs because its mode or kind lets it. */
  isAsked: boolean;
  /** Work that may outlast the call; `closing` aborts it. */
  later(work: Promise<void>): void;
  closing: AbortSignal;
  /** Work to do once the outcome is in the log; skipped if it never gets there. */
  onRecorded(work: () => void): void;
  /** The human's choice, for tools that ask. */
  answer: string | undefined;
  /** The chosen hunks, for tools that show a diff to choose from. */
  choice: HunkChoice | undefined;
  /** Reports progress to watchers of this call; the same shape as the result, not kept in the log. */
  report(progress: Record<string, unknown>): void;
};

/** `intents` are the effects that `run` will try, recorded before it starts; `prepared` is for `run` only. */
export type Planned<P, Texts extends PlanDraft = PlanDraft> = {
  plan: Texts;
  /** The content of a directory that changes with it: judged like the rest, but too much to show. */
  within?: Touch[];
  intents: Effect[];
  /** The tool's changes are unknown before it has run, so its start is recorded even without intents. */
  isUnforeseeable?: boolean;
  /** More sets of changes are planned during the run, so the start is recorded even when the first set is empty. */
  hasLaterSets?: boolean;
  /** A client runs the call where the files are: it takes no place in a lane here. */
  isElsewhere?: boolean;
  /** The kind of the call with these arguments, when that is weaker than the tool's. */
  kind?: Kind;
  /** Another tool that does the same with these arguments: rules for either apply. */
  sameAs?: string;
  /** Why a human is asked when no rule matches, although the kind alone would let the call run. */
  caution?: Phrase | undefined;
  /** Why a human is asked in every mode, whatever rules allow, and the rule name it is reported under. */
  mustAsk?: { rule: string; reason: Phrase };
  prepared: P;
};

export function isEffectful({ intents, isUnforeseeable, hasLaterSets }: Planned<unknown>): boolean {
  return intents.length > 0 || isUnforeseeable === true || hasLaterSets === true;
}

/** The plan of a call with its texts in English. */
export type PlannedCall = Planned<unknown, Plan>;

/** `seen` are the file versions that the caller knows now. */
export type ToolRunResult<O> = { data: O; effects: Effect[]; seen?: Seen[] };

/** A call whose process is dead. `held` are paths that were held back from its changes. */
export type DeadCall = Pick<
  RunContext,
  'workspace' | 'home' | 'slot' | 'session' | 'callId' | 'log' | 'lock' | 'later' | 'closing'
> & { held: ReadonlySet<string> };

/** The recovered changes of such a call; `forget` is called once they are recorded. */
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
  /** Created on first use: a short command needs only one of them. */
  input: () => z.ZodMiniType<I>;
  /** The schema that a foreign tool declares, shown instead of `input`, which then accepts everything. */
  jsonSchema?: Readonly<Record<string, unknown>>;
  output: () => z.ZodMiniType<O>;
  plan(input: I, context: PlanContext): Planned<P> | Promise<Planned<P>>;
  run(input: I, prepared: P, context: RunContext): ToolRunResult<O> | Promise<ToolRunResult<O>>;
  /** The same call reduced to the hunks that a human chose, as they edited them. The choice fits the plan's diff. */
  narrow?(input: I, prepared: P, choice: HunkChoice): I;
  /** For a tool that does not announce its changes. */
  recover?(dead: DeadCall): Promise<RecoveredEffects>;
  tell(output: O): string;
  /** The same for clients that use the text as the result itself. */
  tellPlainly?(output: O): string;
};

/** A tool with its types erased; the runtime passes back only values that the tool itself made. */
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

/** Foreign tools, such as those of MCP servers: loaded only when a call names one or the tools are listed. */
export type ToolSource = AsyncDisposable & {
  /** One kind for all of them: what they do is unknown here. */
  kind: Kind;
  find(name: string, signal: AbortSignal): Promise<Tool | undefined>;
  /** The same list again while nothing has changed. `isSoon`: without slow sources; their tools are in a later list. */
  list(signal: AbortSignal, isSoon?: boolean): Promise<readonly Tool[]>;
  /** Why some tools are missing from the list, for people. */
  problems(): readonly string[];
  tell(output: Record<string, unknown>): string;
};

/** The list stays undecorated because it only describes the tools; a tool is decorated when it is called. */
export function decorateSource(foreign: ToolSource, decorate: (tool: Tool) => Tool): ToolSource {
  return {
    ...foreign,
    async find(name, signal) {
      const tool = await foreign.find(name, signal);
      return tool && decorate(tool);
    },
  };
}
