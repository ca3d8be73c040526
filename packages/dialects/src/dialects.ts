// All dialects, each made from its table and its writer on first use: a short command needs one of them. Reading is the same for all.
import { type DialectName, isCallId, lazily, ToolError } from '@codelab/protocol';
import { agentWriter } from './agent/messages.ts';
import { agentTools } from './agent/tools.ts';
import { codelabWriter } from './codelab/messages.ts';
import { codelabTools } from './codelab/tools.ts';
import { coderWriter } from './coder/messages.ts';
import { coderTools } from './coder/tools.ts';
import type { CallInput, Dialect, Json, PathSpelling, WireCall, WireTool } from './dialect.ts';
import { kodeWriter } from './kode/messages.ts';
import { kodeTools } from './kode/tools.ts';
import { pluginWriter } from './plugin/messages.ts';
import { pluginTools } from './plugin/tools.ts';
import { parseWireArguments } from './shared/check-arguments.ts';
import { readMessage } from './shared/read-message.ts';
import {
  pathsFrom,
  plainPaths,
  renameFailure,
  rootedPaths,
  rootedPathsAt,
  wireArguments,
  workspacePaths,
} from './shared/spelling.ts';
import { findSynonym, sameTool } from './shared/tool-synonyms.ts';
import { short, wrongId } from './shared/values.ts';
import { type MessageWriter, writeMessage } from './shared/write-message.ts';

/** `root` is the workspace whose absolute paths are understood; only seeds 001 and 004 have such paths. */
const makers: Record<DialectName, (root?: string, workingDir?: string) => Dialect> = {
  codelab: () =>
    makeDialect({
      name: 'codelab',
      tools: codelabTools,
      paths: plainPaths,
      writer: codelabWriter,
    }),
  agent(root) {
    const paths = root === undefined ? rootedPaths : rootedPathsAt(root);
    return makeDialect({ name: 'agent', tools: agentTools(), paths, writer: agentWriter });
  },
  plugin: () =>
    makeDialect({ name: 'plugin', tools: pluginTools(), paths: plainPaths, writer: pluginWriter }),
  coder: () => makeDialect({ name: 'coder', tools: coderTools(), paths: plainPaths, writer: coderWriter }),
  kode: (root, workingDir) =>
    makeKode({ ...(root !== undefined && { root }), ...(workingDir && { workingDir }) }),
};

/** Kode's messages each have a uuid. */
export function makeKode({
  root,
  workingDir = '.',
  newUuid = () => crypto.randomUUID(),
}: {
  root?: string;
  workingDir?: string;
  newUuid?: () => string;
} = {}): Dialect {
  const paths = pathsFrom(root === undefined ? plainPaths : workspacePaths(root), workingDir);
  return makeDialect({ name: 'kode', tools: kodeTools(paths), paths, writer: kodeWriter(newUuid) });
}

const withRoot: readonly string[] = ['agent', 'kode'];

/** Some dialects need the workspace to read a path with a leading slash. */
export function needsRoot(name: string): boolean {
  return withRoot.includes(name);
}

const dialects = new Map<string, Dialect>();

export const dialectNames = Object.keys(makers) as DialectName[];

/**
 * A dialect by the name that a user or a peer gives; with a root, one that understands absolute paths below it. Kode can also work in a
 * folder of the workspace.
 */
export function findDialect(
  name: string,
  { root, workingDir }: { root?: string; workingDir?: string | undefined } = {},
): Dialect {
  if (!Object.hasOwn(makers, name)) {
    const message = `${JSON.stringify(name)} is not a dialect. Choose one of: ${dialectNames.join(', ')}.`;
    throw new ToolError('INVALID_ARGUMENTS', message, { field: 'dialect' });
  }
  const make = makers[name as DialectName];
  // A working folder comes with one request and is not cached; roots are few, and every connection asks for one.
  if (workingDir !== undefined && needsRoot(name)) return make(root, workingDir);
  const key = root !== undefined && needsRoot(name) ? `${name} ${root}` : name;
  const before = dialects.get(key);
  if (before !== undefined) return before;
  const dialect = key === name ? make() : make(root);
  dialects.set(key, dialect);
  return dialect;
}

type Spec = { name: DialectName; tools: readonly WireTool[]; paths: PathSpelling; writer: MessageWriter };

type Read = { row: WireTool; wireArgs: Json; core: Json };

export function makeDialect({ name, tools: toolRows, paths, writer }: Spec): Dialect {
  const tools = toolRows.map(withOneInput);
  const rows = new Map(tools.map((row) => [row.name, row]));
  const rowFor = (tool: string): WireTool | undefined => tools.find((row) => row.tool === tool);

  function read({ tool, args, isLasting = false, isLenient = false }: Omit<CallInput, 'id'>): Read {
    const names = [...rows.keys()];
    const row = rows.get(tool) ?? (isLenient ? rows.get(sameTool(tool, names) ?? '') : undefined);
    if (row === undefined) throw noTool(tool, names);
    const fit = row.input().safeParse(args);
    const parsedArgs = fit.success
      ? fit.data
      : parseWireArguments(row, args, { isLenient, issues: fit.error.issues });
    return { row, wireArgs: parsedArgs, core: row.toCore(parsedArgs, { isLasting, isLenient, paths }) };
  }

  function ask(input: CallInput): WireCall {
    const { id, requiresApproval = false, isLasting = false } = input;
    const { row, wireArgs, core } = read(input);
    if (!isCallId(id)) throw wrongId(id);
    const wire = { tool: row.name, args: wireArgs };
    const call = { id, wire, tool: row.tool, args: core, requiresApproval };
    return isLasting ? { ...call, isLasting } : call;
  }

  return {
    name,
    tools,
    streams: writer.progress !== undefined,
    ask,
    spell({ id, tool, args, requiresApproval = false }) {
      const row = rowFor(tool);
      // A dialect whose paths begin at the workspace's root spells them so when the caller gave no path.
      const wire =
        row === undefined
          ? { tool, args }
          : { tool: row.name, args: wireArguments(row, args, { path: '/…' }, paths) };
      return { id, wire, tool, args, requiresApproval, isLasting: true };
    },
    renameFailure: (tool, error) => renameFailure(rowFor(tool), error),
    settle: ({ wire, isLasting = false }, decision) =>
      decision.kind === 'edit'
        ? { ...decision, args: read({ tool: wire.tool, args: decision.args, isLasting }).core }
        : decision,
    decode: (wire, session = {}) =>
      readMessage(wire, { ask: (input) => ask({ ...input, ...session }), findRow: (tool) => rows.get(tool) }),
    encode: (message) => writeMessage(message, { writer, paths, findRow: (tool) => rows.get(tool) }),
  };
}

// Building a schema costs more than a hundred uses of it.
function withOneInput(row: WireTool): WireTool {
  return { ...row, input: lazily(() => row.input()) };
}

function noTool(tool: string, names: readonly string[]): ToolError {
  const meant = findSynonym(tool, names);
  const hint = meant === undefined ? '' : ` Use ${meant}.`;
  return new ToolError(
    'TOOL_NOT_FOUND',
    `There is no tool ${JSON.stringify(short(tool))} here.${hint} There are: ${names.join(', ')}.`,
  );
}
