// Makes a dialect from its table and its writer; reading is the same for all of them.
import { type DialectName, lazily, ToolError } from '@codelab/protocol';
import type { CallInput, Dialect, Json, PathSpelling, WireCall, WireTool } from '../dialect.ts';
import { parseWireArguments } from './check-arguments.ts';
import { checkId } from './fields.ts';
import { readMessage } from './read-message.ts';
import { renameFailure, wireArguments } from './respell.ts';
import { findSynonym, sameTool } from './tool-synonyms.ts';
import { short } from './values.ts';
import { type MessageWriter, writeMessage } from './write-message.ts';

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
    const said = fit.success
      ? fit.data
      : parseWireArguments(row, args, { isLenient, issues: fit.error.issues });
    return { row, wireArgs: said, core: row.toCore(said, { isLasting, isLenient, paths }) };
  }

  function ask(input: CallInput): WireCall {
    const { id, requiresApproval = false, isLasting = false } = input;
    const { row, wireArgs: said, core } = read(input);
    return {
      id: checkId(id),
      wire: { tool: row.name, args: said },
      tool: row.tool,
      args: core,
      requiresApproval,
      ...(isLasting ? { isLasting } : {}),
    };
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
