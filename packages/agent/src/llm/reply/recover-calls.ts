// Recovers calls that a weak model wrote into its text instead of making them. Only calls of offered tools count, and none in a code
// block: that is an example.
import type { ModelTool } from '../../model.ts';
import { findMarkedCalls, readTaggedCall, type TextCall } from './marked-calls.ts';
import { parseArguments } from './read-arguments.ts';

/** The calls, and the text without them; undefined when there are none. */
export function recoverCalls(
  text: string,
  tools: readonly ModelTool[],
  wasCut = false,
): { text: string; calls: TextCall[] } | undefined {
  const blocks = codeBlocks(text);
  const isQuoted = (at: number): boolean => blocks.some(({ from, to }) => at >= from && at < to);
  const found =
    findTagged(text, tools, { isQuoted, wasCut }) ??
    findMarkedCalls(text, tools, isQuoted) ??
    findBare(text, tools);
  return found !== undefined && found.calls.length > 0 ? found : undefined;
}

type Found = { text: string; calls: TextCall[] };

const tagged =
  /<tool_call>[\s\S]*?(?:<\/tool_call>|$)|<function=[\s\S]*?(?:<\/function>|$)|<invoke name="[\s\S]*?(?:<\/invoke>|$)/g;

/** Markup around several calls. */
const wrappers = /<\/?(?:function_calls|minimax:tool_call)>/g;

type Reading = { isQuoted(at: number): boolean; wasCut: boolean };

/**
 * `<tool_call>{…}</tool_call>`, `<function=x><parameter=y>…` and the like; the last one may be unclosed. A call in a code block is a
 * quotation.
 */
function findTagged(
  text: string,
  tools: readonly ModelTool[],
  { isQuoted, wasCut }: Reading,
): Found | undefined {
  const calls: TextCall[] = [];
  const rest = text.replace(tagged, (piece: string, at: number) => {
    if (isQuoted(at)) return piece;
    const read = readPiece(piece, tools, wasCut);
    if (read === undefined) return piece;
    calls.push(...read);
    return '';
  });
  return calls.length > 0 ? { text: rest.replace(wrappers, '').trim(), calls } : undefined;
}

function readPiece(piece: string, tools: readonly ModelTool[], wasCut: boolean): TextCall[] | undefined {
  const inner = piece.replace(/^<tool_call>|<\/tool_call>$/g, '');
  if (/^\s*[[{]/.test(inner)) return readJsonCalls(inner, tools, 'lenient');
  const call = readTaggedCall(piece, tools, wasCut);
  return call && [call];
}

/** The whole text is nothing but the JSON of calls. */
function findBare(text: string, tools: readonly ModelTool[]): Found | undefined {
  const withoutMark = text.trim().replace(/^(?:<\|python_tag\|>|<\|tool_call\|>|\[TOOL_CALLS\])\s*/, '');
  if (!/^[[{]/.test(withoutMark)) return undefined;
  const calls = readJsonCalls(withoutMark, tools, 'strict');
  return calls && { text: '', calls };
}

/** `lenient`: unreadable arguments make a call with a problem, if at least its tool is known. */
function readJsonCalls(
  json: string,
  tools: readonly ModelTool[],
  manner: 'lenient' | 'strict',
): TextCall[] | undefined {
  const { args, problem } = parseArguments(json.trim().startsWith('[') ? `{"calls":${json}}` : json, false);
  if (problem !== undefined) return manner === 'lenient' ? brokenCall(json, problem, tools) : undefined;
  const items = Array.isArray(args.calls) && Object.keys(args).length === 1 ? args.calls : [args];
  const calls = items.map((item) => readJsonCall(item, tools));
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

function readJsonCall(item: unknown, tools: readonly ModelTool[]): TextCall | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { name, function: inner, ...fields } = item as Record<string, unknown>;
  if (name === undefined && typeof inner === 'object') return readJsonCall(inner, tools);
  const tool = tools.find((candidate) => candidate.name === name);
  if (tool === undefined) return undefined;
  const argumentsKey = ['arguments', 'parameters', 'args', 'input'].find((key) => Object.hasOwn(fields, key));
  const value = argumentsKey === undefined ? {} : fields[argumentsKey];
  return {
    tool: tool.name,
    ...parseArguments(typeof value === 'string' ? value : JSON.stringify(value), false),
  };
}

function brokenCall(json: string, problem: string, tools: readonly ModelTool[]): TextCall[] | undefined {
  const name = /"name"\s*:\s*"([^"]+)"/.exec(json)?.[1];
  return tools.some((tool) => tool.name === name) && name !== undefined
    ? [{ tool: name, args: {}, problem }]
    : undefined;
}

/** Text between fences or backticks, and lines that are indented like code. */
function codeBlocks(text: string): { from: number; to: number }[] {
  return [...text.matchAll(/(```|~~~)[\s\S]*?(?:\1|(?![\s\S]))|`[^`\n]*`|^(?: {4}|\t)[^\n]*/gm)].map(
    ({ index, 0: { length } }) => ({
      from: index,
      to: index + length,
    }),
  );
}
