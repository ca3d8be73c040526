// Carries out an agent's calls in this process, through the runtime, and reports progress as it happens.
import type { HostEvent, HostTool, ToolHost } from '@codelab/agent';
import {
  type Dialect,
  describeInput,
  findDialect,
  findSynonym,
  knownInputs,
  type WireCall,
} from '@codelab/dialects';
import { type DialectName, type ToolCall, ToolError } from '@codelab/protocol';
import {
  createRegistry,
  type Host,
  inputSchema,
  latestTodos,
  listForeign,
  recordRefusal,
  runCall,
  type Tool,
  tellNewDiagnostics,
  tellTodos,
} from '@codelab/runtime';
import { followCall } from './follow-call.ts';
import { countGroupedCalls } from './grouped-calls.ts';
import type { CallHooks } from './hooks.ts';
import { modelSchema, toolsFor, usableTools } from './model-tools.ts';
import { outcomeForModel } from './outcome-for-model.ts';

type Options = {
  dialect?: DialectName | undefined;
  workingDir?: string | undefined;
  /** A client has the files. */
  isElsewhere?: boolean | undefined;
  /** The hooks before and after each call. */
  hooks?: CallHooks | undefined;
  /** The hooks' notes on earlier calls, by call id. */
  notes?: Map<string, string>;
};

/** Offers the model a dialect's tools under its names and turns what the model asks into core calls. */
export function createLocalHost(
  host: Host,
  session: string,
  {
    dialect: dialectName = 'codelab',
    workingDir,
    isElsewhere = false,
    hooks,
    notes = new Map(),
  }: Options = {},
): ToolHost {
  const dialect = findDialect(dialectName, { root: host.workspace.root.real, workingDir });
  // A client that has the files is not expected to have the extensions of its wire.
  const offered = isElsewhere
    ? { ...dialect, tools: dialect.tools.filter((row) => !row.isExtension) }
    : dialect;
  const lists = new Map<string, Listed>();
  const usable = usableTools(isElsewhere ? undefined : host);
  return {
    async tools(profile, signal, window) {
      const until = host.foreign === undefined ? signal : AbortSignal.any([host.closing, signal]);
      const foreign = await listForeign(host, await host.profiles.find(profile), until);
      const toolFilter = toolsFor(dialect.name === 'codelab' ? window : undefined);
      const version = [profile, usable.version(), toolFilter.name].join(' ');
      const before = lists.get(version);
      if (before !== undefined && isSame(before.foreign, foreign)) return before.tools;
      const builtIn = before?.builtIn ?? (await listTools(host, session, profile, offered));
      const tools = [
        ...builtIn.filter(({ name }) => usable.isUsable(name)),
        ...foreign.map(describeForeign),
      ].filter(toolFilter.test);
      lists.set(version, { builtIn, foreign, tools });
      return tools;
    },
    execute: (call, signal) => execute({ host, dialect, hooks, notes }, call, signal),
    askedTogether: (calls) =>
      isElsewhere ? Promise.resolve(1) : countGroupedCalls(host, calls, (call) => asCore(call, dialect)),
    refuse: async (call, { code, message }) =>
      await recordRefusal(await host.session(call.session), call, new ToolError(code, message)),
    async todos() {
      const items = await latestTodos(await host.session(session));
      return items.length === 0 ? '' : tellTodos({ items });
    },
    tell(outcome, tokens = Number.POSITIVE_INFINITY) {
      usable.note(outcome);
      return outcomeForModel(host, dialect, outcome, tokens) + (notes.get(outcome.callId) ?? '');
    },
  };
}

/** The tools listed for a profile: our own, foreign ones, and both as the model sees them. */
type Listed = { builtIn: readonly HostTool[]; foreign: readonly Tool[]; tools: readonly HostTool[] };

function isSame(before: readonly Tool[], now: readonly Tool[]): boolean {
  return before === now || (before.length === now.length && before.every((tool, i) => tool === now[i]));
}

function describeForeign(tool: Tool): HostTool {
  const { name, kind, summary } = tool;
  return { name, kind, summary, input: modelSchema(name, tool.jsonSchema ?? inputSchema(tool.input())) };
}

async function listTools(
  host: Host,
  session: string,
  profile: string,
  dialect: Dialect,
): Promise<HostTool[]> {
  const { tools } = await createRegistry(host, { session, dialect: 'codelab', profile });
  const core = new Map(tools.map((tool) => [tool.name, tool]));
  return dialect.tools.flatMap((row) => {
    const tool = core.get(row.tool);
    if (tool === undefined) return [];
    const isKnown = dialect.name === 'codelab' && Object.hasOwn(knownInputs, row.name);
    const input = isKnown ? knownInputs[row.name] : describeInput(row);
    const { kind, summary } = tool;
    return [{ name: row.name, kind, summary, input: modelSchema(row.name, input) }];
  });
}

type Running = Pick<Options, 'hooks'> & { host: Host; dialect: Dialect; notes: Map<string, string> };

async function* execute(
  { host, dialect, hooks, notes }: Running,
  modelCall: ToolCall,
  signal: AbortSignal,
): AsyncGenerator<HostEvent> {
  const session = await host.session(modelCall.session);
  try {
    const { call, isOpen } = coreCall(session.openCalls.get(modelCall.id)?.call, modelCall, dialect);
    const names = [modelCall.tool, call.tool];
    // Hooks have already run for a call that is open.
    const refusal = isOpen || hooks === undefined ? undefined : yield* hooks.before(call, names, signal);
    if (refusal !== undefined) throw refusal;
    const outcome = yield* followCall(host, call, () => runCall(host, call, signal));
    const hooked = hooks === undefined ? '' : yield* hooks.after(call, names, outcome, signal);
    const note = `${await tellNewDiagnostics(host, call)}${hooked}`;
    if (note !== '') notes.set(call.id, note);
    yield { type: 'outcome', outcome };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    // The dialect or a hook refuses the call before it reaches the runtime.
    yield { type: 'outcome', outcome: await recordRefusal(session, modelCall, error) };
  }
}

/** Undefined when the dialect refuses the call. */
function asCore(modelCall: ToolCall, dialect: Dialect): ToolCall | undefined {
  try {
    return coreCall(undefined, modelCall, dialect).call;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

/** The model's call as a call of the core. */
function coreCall(
  open: ToolCall | undefined,
  modelCall: ToolCall,
  dialect: Dialect,
): { call: ToolCall; isOpen: boolean } {
  // A call that was open before a restart may have been made in another dialect than the present one.
  if (open !== undefined && open.turn === modelCall.turn && open.agent === modelCall.agent)
    return { call: { ...open, ...(modelCall.profile && { profile: modelCall.profile }) }, isOpen: true };
  // Tools of others have one name in every dialect.
  if (modelCall.tool.startsWith('mcp:')) return { call: modelCall, isOpen: false };
  const { tool, args: core } = askLeniently(dialect, modelCall);
  const args = isImageRead(tool, core) ? { ...core, as_image: true } : core;
  // Calls use our own dialect, but not the narrow limits of the wire they come from.
  const limits = dialect.name === 'codelab' ? modelCall.dialect : dialect.name;
  return { call: { ...modelCall, tool, args, dialect: limits }, isOpen: false };
}

/** A model can look at an image; on the wires reading one is an error, as their documents say. */
function isImageRead(tool: string, { path }: ToolCall['args']): boolean {
  return tool === 'read_file' && typeof path === 'string' && /\.(?:png|jpe?g|gif|webp)$/i.test(path);
}

function askLeniently(dialect: Dialect, { id, tool, args }: ToolCall): WireCall {
  try {
    return dialect.ask({ id, tool, args, isLasting: true, isLenient: true });
  } catch (error) {
    throw error instanceof ToolError && error.code === 'TOOL_NOT_FOUND' ? noTool(tool, dialect) : error;
  }
}

/** A model knows the list of tools, so the error names the tool it probably meant. */
function noTool(toolName: string, dialect: Dialect): ToolError {
  const names = dialect.tools.map(({ name }) => name);
  const synonym = findSynonym(toolName, names);
  const next = synonym === undefined ? `Use one of: ${names.join(', ')}.` : `Use ${synonym}.`;
  return new ToolError(
    'TOOL_NOT_FOUND',
    `There is no tool ${JSON.stringify(toolName.slice(0, 100))}. ${next}`,
  );
}
