// The tools that a server offers, made safe for people and models: bounded, without hidden characters, each name once.
import { checkPlain, visible, visibleLine } from '@codelab/protocol';
import { digestJson } from '@codelab/runtime';
import * as z from 'zod/mini';
import type { McpConnection } from './connection.ts';
import type { TransportOptions } from './open-transport.ts';

export type McpToolDefinition = {
  /** The name in CodeLab: `mcp:server:tool`. */
  name: string;
  /** The server's name of the tool. */
  tool: string;
  summary: string;
  schema: Record<string, unknown>;
  hints: readonly string[];
  /** Covers the whole definition and its origin; another print is another tool. */
  print: string;
};

export type McpToolList = {
  definitions: ReadonlyMap<string, McpToolDefinition>;
  problems: readonly string[];
};

const mostPages = 32;
const mostTools = 128;
const mostSchemaBytes = 64 * 1024;
// Every request to a model carries all definitions.
const mostChars = 256 * 1024;
const mostDepth = 32;
const summaryChars = 4000;

const Page = () => z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.optional(z.string()) });

const Offered = () =>
  z.looseObject({
    name: z.string(),
    description: z.optional(z.string()),
    inputSchema: z.record(z.string(), z.unknown()),
    annotations: z.optional(z.record(z.string(), z.unknown())),
  });

export async function readToolList(connection: McpConnection, order: TransportOptions): Promise<McpToolList> {
  const { tools, isMore } = await readPages(connection);
  const read = tools.map((tool) => readDefinition(tool, order));
  const times = new Map<string, number>();
  for (const definition of read) times.set(definition.tool, (times.get(definition.tool) ?? 0) + 1);
  const single = read.filter(
    (definition): definition is McpToolDefinition =>
      !('problem' in definition) && times.get(definition.tool) === 1,
  );
  const fit = withinBudget(single);
  const twice = [...times]
    .filter(([, count]) => count > 1)
    .map(([tool]) => `${quoted(tool)} is listed twice`);
  const unfit = read.flatMap((definition) =>
    'problem' in definition ? [`${quoted(definition.tool)} ${definition.problem}`] : [],
  );
  const overLimit = single.slice(fit.length).map(({ tool }) => `${tool} is too much beside the others`);
  const rest = isMore ? [`only the first ${mostTools} are taken`] : [];
  return {
    definitions: new Map(fit.map((definition) => [definition.tool, definition])),
    problems: sumUp(order.name, [...unfit, ...twice, ...overLimit, ...rest]),
  };
}

async function readPages(connection: McpConnection): Promise<{ tools: unknown[]; isMore: boolean }> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < mostPages && tools.length <= mostTools; page++) {
    const params = cursor === undefined ? {} : { cursor };
    const found = await connection.ask({ method: 'tools/list', params, answer: Page() });
    tools.push(...found.tools.slice(0, mostTools + 1));
    cursor = found.nextCursor;
    if (cursor === undefined) break;
  }
  return { tools: tools.slice(0, mostTools), isMore: tools.length > mostTools || cursor !== undefined };
}

function withinBudget(definitions: readonly McpToolDefinition[]): readonly McpToolDefinition[] {
  let chars = 0;
  const end = definitions.findIndex(({ summary, schema }) => {
    chars += summary.length + JSON.stringify(schema).length;
    return chars > mostChars;
  });
  return end < 0 ? definitions : definitions.slice(0, end);
}

type Unfit = { tool: string; problem: string };

function readDefinition(
  definition: unknown,
  { name: server, server: config }: TransportOptions,
): McpToolDefinition | Unfit {
  const parsed = Offered().safeParse(definition);
  if (!parsed.success) return { tool: '(no name)', problem: 'is not described as a tool must be' };
  const { name: tool, description = '', inputSchema, annotations = {} } = parsed.data;
  // Look-alike letters, colons and invisible characters could make one tool look like another.
  if (!/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,63}$/.test(tool))
    return { tool, problem: 'has a name that is not accepted' };
  const schema = readSchema(inputSchema);
  if (schema === undefined) return { tool, problem: 'has a schema that is too large or hides something' };
  const summary = cut(visible(description.toWellFormed()), summaryChars) || `The tool ${tool} of ${server}.`;
  const hints = readHints(annotations);
  const print = digestJson([originOf(config), tool, description, inputSchema, hints]);
  return { name: `mcp:${server}:${tool}`, tool, summary, schema, hints, print };
}

// The environment and the headers hold secrets of the user; the program or the address identifies a server.
function originOf(config: TransportOptions['server']): unknown {
  return 'url' in config ? [config.url] : [config.command, config.args ?? [], config.cwd ?? '.'];
}

function readSchema(rawSchema: Record<string, unknown>): Record<string, unknown> | undefined {
  try {
    checkPlain(rawSchema, mostDepth);
  } catch {
    return undefined;
  }
  const text = JSON.stringify(rawSchema);
  if (text.length > mostSchemaBytes) return undefined;
  const schema = JSON.parse(text, (key, value: unknown) =>
    key === 'description' && typeof value === 'string' ? visible(value) : value,
  ) as Record<string, unknown>;
  // In a schema a hidden character cannot be shown without changing the schema's meaning.
  const isOpen = visible(unescaped(schema)) === unescaped(schema);
  return isOpen && (schema.type === undefined || schema.type === 'object')
    ? { ...schema, type: 'object' }
    : undefined;
}

// JSON escapes control characters; here they must count as themselves.
function unescaped(schema: unknown): string {
  const texts: string[] = [];
  JSON.stringify(schema, (key, value: unknown) => {
    texts.push(key, typeof value === 'string' ? value : '');
    return value;
  });
  return texts.join('\n');
}

const hintTexts = {
  readOnlyHint: ['only reads', 'changes things'],
  destructiveHint: ['may destroy', 'destroys nothing'],
  idempotentHint: ['may be repeated', 'must not be repeated'],
  openWorldHint: ['reaches out to others', 'stays by itself'],
} as const;

function readHints(annotations: Record<string, unknown>): string[] {
  return Object.entries(hintTexts).flatMap(([hint, [yesText, no]]) => {
    const value = annotations[hint];
    return typeof value === 'boolean' ? [value ? yesText : no] : [];
  });
}

const mostProblems = 5;

function sumUp(server: string, problems: readonly string[]): string[] {
  const first = problems.slice(0, mostProblems).map((problem) => `${server}: ${problem}; it was left out.`);
  const others = problems.length - first.length;
  return others > 0 ? [...first, `${server}: ${others} more were left out.`] : first;
}

function quoted(tool: string): string {
  return cut(visibleLine(tool.slice(0, 100).toWellFormed()), 60);
}

function cut(text: string, chars: number): string {
  return text.length <= chars ? text : `${text.slice(0, chars).toWellFormed()}…`;
}
