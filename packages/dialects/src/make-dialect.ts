// A dialect from its table and its writer; reading is the same for all of them.
import { type DialectName, ToolError } from '@codelab/protocol';
import { checkArguments } from './check-arguments.ts';
import type { AskedCall, Dialect, Json, WireTool } from './dialect.ts';
import type { PathSpelling } from './path-spelling.ts';
import { checkId } from './read/check-id.ts';
import { readMessage } from './read/read-message.ts';
import { short } from './short.ts';
import { writeMessage } from './write/write-message.ts';
import type { Writer } from './write/writer.ts';

type Spec = { name: DialectName; tools: readonly WireTool[]; paths: PathSpelling; writer: Writer };

export function makeDialect({ name, tools, paths, writer }: Spec): Dialect {
  const rows = new Map(tools.map((row) => [row.name, row]));

  function read(tool: string, args: Json): { row: WireTool; core: Json } {
    const row = rows.get(tool);
    if (row === undefined) {
      const known = [...rows.keys()].join(', ');
      throw new ToolError(
        'TOOL_NOT_FOUND',
        `There is no tool ${JSON.stringify(short(tool))} here. There are: ${known}.`,
      );
    }
    return { row, core: row.toCore(checkArguments(row, args)) };
  }

  function ask(given: Parameters<Dialect['ask']>[0]): AskedCall {
    const { id, tool, args, requiresApproval = false } = given;
    const { row, core } = read(tool, args);
    return { id: checkId(id), wire: { tool, args }, tool: row.tool, args: core, requiresApproval };
  }

  return {
    name,
    tools,
    ask,
    settle(asked, decision) {
      return decision.kind === 'edit'
        ? { ...decision, args: read(asked.wire.tool, decision.args).core }
        : decision;
    },
    decode: (wire) => readMessage(wire, ask),
    encode: (message) => writeMessage(message, { writer, paths, findRow: (tool) => rows.get(tool) }),
  };
}
