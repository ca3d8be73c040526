// A server's tool as one of the runtime's: its plan says what would be sent where, and holds only while its definition stays.
import { ToolError, visible, visibleLine } from '@codelab/protocol';
import { defineTool, definitionPath, type Tool } from '@codelab/runtime';
import * as z from 'zod/mini';
import type { McpServer } from '../../config/config.ts';
import { checkRequired } from './check-required.ts';
import type { Definition } from './read-offer.ts';
import { McpOutput, readResult } from './read-result.ts';
import { reportProgress } from './report-progress.ts';
import type { Served } from './served.ts';
import { tellResult } from './tell-result.ts';

type Args = Record<string, unknown>;

const saidChars = 300;
const failureBytes = 4096;

export function makeTool(served: Served, { name, tool, summary, schema }: Definition): Tool {
  return defineTool<Args, McpOutput, string>({
    name,
    kind: 'execute',
    summary,
    jsonSchema: schema,
    input: () => z.record(z.string(), z.unknown()),
    output: McpOutput,

    async plan(args, { signal }) {
      const now = await lookUp(served, tool, signal);
      checkRequired(name, now.schema, args);
      const plan = {
        summary: `Call ${tool} of the MCP server ${served.name}`,
        risk: 'high' as const,
        riskReason: 'Only the server knows what it does with a call.',
        touches: [],
        notes: notesOn(now, served.server),
        basis: [{ path: definitionPath(name), print: now.print }],
      };
      return { plan, intents: [], isUnforeseeable: true, prepared: now.print };
    },

    async run(args, print, { signal, limits, report }) {
      const now = await lookUp(served, tool, signal);
      if (now.print !== print)
        throw new ToolError('STALE', `The MCP server ${served.name} has changed ${tool}. Call it again.`);
      const onProgress = reportProgress(report);
      const result = await served.call({ tool, args, signal, onProgress });
      if (result.isError !== true) return { data: readResult(result, limits.outputBytes), effects: [] };
      const { text } = readResult(result, failureBytes);
      throw new ToolError('EXECUTION_FAILED', text || `${tool} failed and did not say why.`, {
        server: served.name,
      });
    },

    tell: tellResult,
  });
}

async function lookUp({ name, look }: Served, tool: string, signal: AbortSignal): Promise<Definition> {
  const found = await look(tool, signal);
  if (found === undefined)
    throw new ToolError('TOOL_NOT_FOUND', `The MCP server ${name} does not offer ${tool} any more.`);
  return found;
}

function notesOn({ summary, hints }: Definition, server: McpServer): string[] {
  const said = visibleLine(summary);
  return [
    `The arguments go to ${placeOf(server)}; nothing here can undo what it does with them.`,
    `The server says: ${said.length > saidChars ? `${said.slice(0, saidChars)}…` : said}`,
    ...(hints.length > 0 ? [`It also says, and nobody checks: ${hints.join(', ')}.`] : []),
  ];
}

// Arguments and queries can hold secrets; a program's name and an address do not.
function placeOf(server: McpServer): string {
  if (!('url' in server)) return `the program ${visible(server.command)}`;
  const { origin, pathname } = new URL(server.url);
  return `${origin}${pathname}`;
}
