// The parse and plan steps: finds the tool of a call, validates its arguments, and plans it with notes for people.
import { describeIssue, type Phrase, phrase, spellTexts, ToolError, type Touch } from '@codelab/protocol';
import { misleadingNotes, oddNames } from '../policy/misleading-text.ts';
import type { CallDemand, Lane } from '../scheduler/scheduled-call.ts';
import {
  isEffectful,
  type PlanContext,
  type Planned,
  type PlannedCall,
  type Tool,
} from '../tool/define-tool.ts';
import { type Profile, showsTool } from '../tool/profile.ts';
import { type FileSharing, findSharing, isSaved } from '../workspace/file-checks.ts';
import { relativePath } from '../workspace/paths.ts';
import type { Workspace } from '../workspace/workspace.ts';
import type { CallScope, ToolArguments } from './call-run.ts';
import type { Host } from './host.ts';
import { withNearPaths } from './missing-path.ts';
import { callOutput } from './session/call-output.ts';
import { checkUnsaved } from './session/folded-session.ts';

/** The parse step: finds the tool of a call if its roles show it, and validates the arguments against the tool's schema. */
export async function parseCall(
  view: CallScope,
  args: ToolArguments,
): Promise<{ tool: Tool; input: unknown }> {
  const { host, call, roles, signal } = view;
  const tool = await findTool(host, roles, call.tool, signal);
  if (tool === undefined) {
    throw new ToolError(
      'TOOL_NOT_FOUND',
      `There is no tool ${JSON.stringify(call.tool)} here. \`codelab tools\` lists them.`,
    );
  }
  return { tool, input: parseArgs(view, tool, args) };
}

async function findTool(
  { tools, foreign }: Host,
  roles: readonly Profile[],
  name: string,
  signal: AbortSignal,
): Promise<Tool | undefined> {
  const tool = tools.get(name);
  if (tool !== undefined) return showsTool(roles, tool) ? tool : undefined;
  // Loading foreign tools may start a program, so it is skipped for tools that the roles hide.
  if (foreign === undefined || !showsTool(roles, { name, kind: foreign.kind })) return undefined;
  return await foreign.find(name, signal);
}

const none: readonly Tool[] = [];

/** Foreign tools that an agent's roles show, without waiting for slow sources; the same list again while nothing has changed. */
export async function listForeign(
  { foreign }: Host,
  roles: readonly Profile[],
  signal: AbortSignal,
): Promise<readonly Tool[]> {
  // Listing may start programs, so it is skipped for roles that could not use the tools.
  if (foreign === undefined || !roles.every(({ kinds }) => kinds.includes(foreign.kind))) return none;
  const tools = await foreign.list(signal, true);
  const shown = tools.filter((tool) => showsTool(roles, tool));
  return shown.length === tools.length ? tools : shown;
}

/** Validates the arguments. The refusal names the field and the problem. */
export function parseArgs({ limits, host }: CallScope, tool: Tool, args: ToolArguments): unknown {
  const size = roughSize(args, limits.argsBytes);
  if (size > limits.argsBytes)
    throw new ToolError('INVALID_ARGUMENTS', `The arguments are larger than ${limits.argsBytes} bytes.`);
  const parsed = tool.input().safeParse(args);
  if (parsed.success) return isForeign(tool) ? parsed.data : withRelativePaths(parsed.data, host.workspace);
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new ToolError('INVALID_ARGUMENTS', `${tool.name}: wrong arguments.`);
  if (issue.code === 'unrecognized_keys') {
    const field = issue.keys.join(', ').slice(0, 200);
    throw new ToolError('INVALID_ARGUMENTS', `${tool.name} does not take \`${field}\`.`, { field });
  }
  const field = issue.path.map(String).join('.');
  throw new ToolError('INVALID_ARGUMENTS', `${tool.name}: \`${field}\` ${describeIssue(issue, args)}.`, {
    field,
  });
}

// Foreign tools have their own arguments, whose meaning is unknown here.
function isForeign(tool: Tool): boolean {
  return tool.jsonSchema !== undefined;
}

const pathFields = ['path', 'from', 'to', 'cwd', 'files', 'paths'];

function withRelativePaths(input: unknown, { root }: Workspace): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const relative = (value: unknown): unknown =>
    typeof value === 'string' ? relativePath(root, value) : value;
  const fields: Record<string, unknown> = { ...input };
  for (const name of pathFields) {
    if (!Object.hasOwn(fields, name)) continue;
    const value = fields[name];
    fields[name] = Array.isArray(value) ? value.map(relative) : relative(value);
  }
  return fields;
}

function roughSize(value: unknown, enough: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let total = 2;
  const items = value as Record<string, unknown>;
  for (const key of Object.keys(items)) {
    total += key.length + roughSize(items[key], enough);
    if (total > enough) break;
  }
  return total;
}

// The plan step: creates the tool's context, and adds notes for people to its plan: misleading names and texts, and files with several
// names.
const mostNamed = 20;
const mostLooked = 200;

export async function planCall(view: CallScope, tool: Tool, input: unknown): Promise<PlannedCall> {
  view.signal.throwIfAborted();
  const context = planContext(view);
  const made = await tool.plan(input, context).catch(async (error: unknown) => {
    throw isForeign(tool) ? error : await withNearPaths(error, { tool, input, context });
  });
  const planned = asHeld(made, view);
  checkUnsaved(planned, view.session.unsavedTexts, context);
  const { plan } = planned;
  const unusual = plan.touches.filter((touch) => !hasPlainNames(touch));
  const odd = unusual.length === 0 ? [] : oddNames(unusual);
  const texts = `${plan.diff?.text ?? ''}${plan.command?.line ?? ''}`;
  const misleads = isPlainText(texts) ? [] : misleadingNotes(plan);
  const changed = planned.isElsewhere ? [] : plan.touches.filter(isChanged).slice(0, mostLooked);
  const spelled = { ...planned, plan: { ...plan, ...spellTexts(plan) } };
  if (changed.length === 0 && odd.length === 0 && misleads.length === 0) return spelled;
  const looked = changed.map((touch) => otherNames(touch, context));
  const shared = looked.flatMap(({ why }) => why ?? []);
  const twins = looked.flatMap(({ names }) => names);
  if ([odd, shared, twins, misleads].every(({ length }) => length === 0)) return spelled;
  const [reason] = shared;
  const more = [odd, shared, looked.flatMap(({ note }) => note ?? [])].flatMap((all) =>
    all.slice(0, mostNamed),
  );
  return {
    ...planned,
    ...(reason !== undefined && { mustAsk: { rule: 'shared-file', reason } }),
    // Rules about the file's other names apply as well.
    within: [
      ...(planned.within ?? []),
      ...twins.map((path) => ({ asked: path, path, access: 'write' as const })),
    ],
    plan: { ...plan, ...spellTexts({ ...plan, notes: [...more, ...misleads, ...plan.notes] }) },
  };
}

// Where paths are verified only after they were opened, a concurrent program could lead a change out of the workspace.
function asHeld(planned: Planned<unknown>, { host }: CallScope): Planned<unknown> {
  const { plan } = planned;
  const isChange = plan.command === undefined && plan.touches.some(({ access }) => access !== 'read');
  if (host.workspace.root.isHeld || planned.isElsewhere || !isChange) return planned;
  const runs = host.commands.list().length + host.processes().all().filter(isRunning).length;
  const note = phrase('note.pathsVerified');
  const reason = phrase('call.pathsNotHeld');
  if (runs === 0) return planned;
  return {
    ...planned,
    mustAsk: planned.mustAsk ?? { rule: 'paths-not-held', reason },
    plan: { ...plan, notes: [...plan.notes, note] },
  };
}

function isRunning({ process }: { process: { exit: unknown } }): boolean {
  return process.exit === undefined;
}

function otherNames({ path }: Touch, context: PlanContext): FileSharing & { note?: Phrase } {
  const shared = findSharing(path, context.workspace);
  const [first, ...others] = shared.names;
  if (first === undefined) return shared;
  const same = { path, other: first };
  const count = others.length;
  return {
    ...shared,
    note: count === 0 ? phrase('note.sameFile', same) : phrase('note.sameFiles', { ...same, count }),
  };
}

function isChanged({ access }: Touch): boolean {
  return access === 'write' || access === 'create';
}

// Most names and texts are visible ASCII, which can't mislead, so only others are checked character by character.
function hasPlainNames({ asked, path }: Touch): boolean {
  return [asked, path].every((name) => /^[\x21-\x7e]*$/.test(name) && !/\.(\/|$)/.test(name));
}

function isPlainText(text: string): boolean {
  return !/[^\t\n\x20-\x7e]/.test(text);
}

export function planContext({ host, session, limits, signal, roles }: Omit<CallScope, 'call'>): PlanContext {
  const { workspace, home, cache, log, lock, sandbox, shows, environment, hosts, processes, lsp } = host;
  let tests: ((path: string) => boolean)[] | undefined;
  // Without spreads: after one, V8 defines each method by a slow path, and every call makes two of these.
  return {
    workspace,
    home,
    cache,
    log,
    lock,
    sandbox,
    shows,
    environment,
    hosts,
    processes,
    lsp,
    limits,
    signal,
    roles,
    session: session.id,
    mayRead(path) {
      tests ??= roles.map(({ name }) => host.rules.mayRead(name, session.rules));
      return tests.every((test) => test(path));
    },
    isDenied: (tool, path) =>
      roles.some(({ name }) => host.rules.denies({ tool, profile: name }, path, session.rules)),
    seen: (path) => session.seen(path),
    unsaved(path) {
      const text = session.unsavedTexts.get(path);
      // Where a client has the files, this disk is not the one to compare with.
      const isUnsaved = text !== undefined && (session.isElsewhere || !isSaved(workspace, path, text));
      return isUnsaved ? text : undefined;
    },
    latest: (tool) => session.latest(tool),
    output: (callId) => callOutput(host, session, callId),
  };
}

/** The session of a call, and its owner. */
type Caller = { id: string; owner: string | undefined };

/** What a planned call asks of the scheduler. */
export function demandOf({ id: session, owner }: Caller, tool: Tool, planned: Planned<unknown>): CallDemand {
  const changes = isEffectful(planned);
  const lane: Lane = changes ? 'change' : 'read';
  const { touches } = planned.plan;
  return { lane: tool.kind === 'execute' ? 'command' : lane, session, owner, touches, changes };
}
