// A tool of an MCP server as a tool of CodeLab: checks its arguments, calls it, and reports its progress.
import { type Phrase, phrase, ToolError, visible, visibleLine } from '@codelab/protocol';
import { defineTool, definitionPath, type Tool } from '@codelab/runtime';
import * as z from 'zod/mini';
import type { McpServer } from '../../config/config.ts';
import type { ToolProgress } from './connection.ts';
import type { McpToolDefinition } from './read-tool-list.ts';
import { type CallResult, McpOutput, readToolResult } from './read-tool-result.ts';
import { toolResultText } from './tool-result-text.ts';

// The plan of such a tool says what would be sent where, and is valid only while the tool's definition stays the same.
type Args = Record<string, unknown>;

const saidChars = 300;
const failureBytes = 4096;

export function makeTool(served: ToolServer, { name, tool, summary, schema }: McpToolDefinition): Tool {
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
        summary: phrase('plan.foreign', { tool, server: served.name }),
        risk: 'high' as const,
        riskReason: phrase('risk.foreign'),
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
      if (result.isError !== true) return { data: readToolResult(result, limits.outputBytes), effects: [] };
      const { text } = readToolResult(result, failureBytes);
      throw new ToolError('EXECUTION_FAILED', text || `${tool} failed and did not say why.`, {
        server: served.name,
      });
    },

    tell: toolResultText,
  });
}

async function lookUp(
  { name, findDefinition }: ToolServer,
  tool: string,
  signal: AbortSignal,
): Promise<McpToolDefinition> {
  const found = await findDefinition(tool, signal);
  if (found === undefined)
    throw new ToolError('TOOL_NOT_FOUND', `The MCP server ${name} no longer offers ${tool}.`);
  return found;
}

function notesOn({ summary, hints }: McpToolDefinition, server: McpServer): Phrase[] {
  const description = visibleLine(summary);
  const text = description.length > saidChars ? `${description.slice(0, saidChars)}…` : description;
  return [
    placeNote(server),
    phrase('note.foreignSays', { text }),
    ...(hints.length > 0 ? [phrase('note.foreignHints', { hints: hints.join(', ') })] : []),
  ];
}

// Arguments and queries can hold secrets; a program's name and an address do not.
function placeNote(server: McpServer): Phrase {
  if (!('url' in server)) return phrase('note.foreignProgram', { program: visible(server.command) });
  const { origin, pathname } = new URL(server.url);
  return phrase('note.foreignUrl', { url: `${origin}${pathname}` });
}

// The parts of a server that a tool needs.
export type ToolServer = {
  name: string;
  server: McpServer;
  /** The server's current definition of a tool. */
  findDefinition(tool: string, signal: AbortSignal): Promise<McpToolDefinition | undefined>;
  call(order: CallOrder): Promise<CallResult>;
};

type CallOrder = {
  tool: string;
  args: Record<string, unknown>;
  signal: AbortSignal;
  onProgress: (progress: ToolProgress) => void;
};

// Finds errors that a server would refuse, before a human is asked: missing and unknown fields. The rest of a server's schema is not
// evaluated: its patterns could keep us busy forever.
export function checkRequired(
  tool: string,
  schema: Readonly<Record<string, unknown>>,
  args: Readonly<Record<string, unknown>>,
): void {
  const required = Array.isArray(schema.required) ? schema.required : [];
  const missing = required.find((field) => typeof field === 'string' && !Object.hasOwn(args, field));
  if (missing !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${tool}: \`${missing}\` is missing.`, { field: missing });
  const { properties, additionalProperties, patternProperties } = schema;
  if (additionalProperties !== false || patternProperties !== undefined) return;
  const schemas = typeof properties === 'object' && properties !== null ? properties : {};
  const unknown = Object.keys(args).find((field) => !Object.hasOwn(schemas, field));
  if (unknown !== undefined)
    throw new ToolError('INVALID_ARGUMENTS', `${tool} does not take \`${unknown.slice(0, 200)}\`.`, {
      field: unknown,
    });
}

// Reports a server's progress: at intervals, and in few words.
const everyMs = 100;
const mostChars = 500;

function reportProgress(report: (progress: McpOutput) => void): (received: ToolProgress) => void {
  let last = Number.NEGATIVE_INFINITY;
  return ({ progress, total, message = '' }) => {
    const now = performance.now();
    if (now - last < everyMs) return;
    last = now;
    const far = total === undefined ? `${progress}` : `${progress} of ${total}`;
    const text = message === '' ? far : `${far}: ${message.slice(0, mostChars).toWellFormed()}`;
    report({ text, truncated: false });
  };
}
