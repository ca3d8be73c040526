// A dialect from its table and its writer; reading is the same for all of them.
import { type DialectName, describeIssue, ToolError } from '@codelab/protocol';
import type { AskedCall, Dialect, Given, Json, PathSpelling, WireTool } from '../dialect.ts';
import { checkId } from './fields.ts';
import { readMessage } from './read-message.ts';
import { renameFailure, wireArguments } from './respell.ts';
import { short } from './values.ts';
import { type MessageWriter, writeMessage } from './write-message.ts';

type Spec = { name: DialectName; tools: readonly WireTool[]; paths: PathSpelling; writer: MessageWriter };

export function makeDialect({ name, tools: given, paths, writer }: Spec): Dialect {
  const tools = given.map(withOneInput);
  const rows = new Map(tools.map((row) => [row.name, row]));

  function read(tool: string, args: Json, isLasting: boolean): { row: WireTool; core: Json } {
    const row = rows.get(tool);
    if (row === undefined) {
      const known = [...rows.keys()].join(', ');
      throw new ToolError(
        'TOOL_NOT_FOUND',
        `There is no tool ${JSON.stringify(short(tool))} here. There are: ${known}.`,
      );
    }
    return { row, core: row.toCore(checkArguments(row, args), { isLasting, paths }) };
  }

  function ask({ id, tool, args, requiresApproval = false, isLasting = false }: Given): AskedCall {
    const { row, core } = read(tool, args, isLasting);
    return {
      id: checkId(id),
      wire: { tool, args },
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
      const row = tools.find((one) => one.tool === tool);
      // A dialect whose paths begin at the workspace's root says so when nobody asked otherwise.
      const wire =
        row === undefined
          ? { tool, args }
          : { tool: row.name, args: wireArguments(row, args, { path: '/…' }, paths) };
      return { id, wire, tool, args, requiresApproval, isLasting: true };
    },
    renameFailure: (tool, error) =>
      renameFailure(
        tools.find((one) => one.tool === tool),
        error,
      ),
    settle({ wire, isLasting = false }, decision) {
      return decision.kind === 'edit'
        ? { ...decision, args: read(wire.tool, decision.args, isLasting).core }
        : decision;
    },
    decode: (wire, session = {}) =>
      readMessage(wire, { ask: (given) => ask({ ...given, ...session }), findRow: (tool) => rows.get(tool) }),
    encode: (message) => writeMessage(message, { writer, paths, findRow: (tool) => rows.get(tool) }),
  };
}

// Making a schema costs more than a hundred readings with it.
function withOneInput(row: WireTool): WireTool {
  let made: ReturnType<WireTool['input']> | undefined;
  return { ...row, input: () => (made ??= row.input()) };
}

/** Checks a call's arguments against its row; the message names the field as the wire does and says what is wrong with it. */
function checkArguments(row: WireTool, args: Json): Json {
  const parsed = row.input().safeParse(args);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  if (issue === undefined) throw new ToolError('INVALID_ARGUMENTS', `${row.name}: wrong arguments.`);
  if (issue.code === 'unrecognized_keys') {
    const field = short(issue.keys.join(', '));
    const known = Object.keys(row.input().shape).join(', ');
    const takes = known === '' ? 'it takes no arguments' : `it takes: ${known}`;
    throw new ToolError('INVALID_ARGUMENTS', `${row.name} does not take \`${field}\`; ${takes}.`, { field });
  }
  const field = issue.path.map(String).join('.');
  throw new ToolError('INVALID_ARGUMENTS', `${row.name}: \`${field}\` ${describeIssue(issue, args)}.`, {
    field,
  });
}
