// Calls that a weak model wrote into its text instead of making them. Only such as name a tool that was offered are taken, and none
// that stands in a code block: that is an example.
import type { ModelTool } from '../model.ts';
import type { FoundCall } from './found-call.ts';
import { findMarked } from './marked-calls.ts';
import { readArguments } from './read-arguments.ts';
import { readTaggedCall } from './read-tagged-call.ts';

/** The calls, and the text without them; undefined when there are none. */
export function recoverCalls(
  text: string,
  tools: readonly ModelTool[],
): { text: string; calls: FoundCall[] } | undefined {
  const blocks = codeBlocks(text);
  const isQuoted = (at: number): boolean => blocks.some(({ from, to }) => at >= from && at < to);
  const found =
    findTagged(text, tools, isQuoted) ?? findMarked(text, tools, isQuoted) ?? findBare(text, tools);
  return found !== undefined && found.calls.length > 0 ? found : undefined;
}

type Found = { text: string; calls: FoundCall[] };

const tagged = /<tool_call>([\s\S]*?)(?:<\/tool_call>|$)|(<function=[\s\S]*?(?:<\/function>|$))/g;

/** `<tool_call>{…}</tool_call>` and `<function=x><parameter=y>…`, the last one perhaps unclosed. Not inside a code block: there it is quoted. */
function findTagged(
  text: string,
  tools: readonly ModelTool[],
  isQuoted: (at: number) => boolean,
): Found | undefined {
  if (!text.includes('<tool_call>') && !text.includes('<function=')) return undefined;
  const calls: FoundCall[] = [];
  const left = text.replace(
    tagged,
    (piece: string, inner: string | undefined, bare: string | undefined, at: number) => {
      if (isQuoted(at)) return piece;
      const read = readPiece(inner ?? bare ?? '', tools);
      if (read === undefined) return piece;
      calls.push(...read);
      return '';
    },
  );
  return calls.length > 0 ? { text: left.trim(), calls } : undefined;
}

function readPiece(piece: string, tools: readonly ModelTool[]): FoundCall[] | undefined {
  if (!piece.includes('<function=')) return readJsonCalls(piece, tools, 'lenient');
  const call = readTaggedCall(piece, tools);
  return call && [call];
}

/** The whole text is nothing but the JSON of calls. */
function findBare(text: string, tools: readonly ModelTool[]): Found | undefined {
  const bare = text.trim().replace(/^(?:<\|python_tag\|>|\[TOOL_CALLS\])\s*/, '');
  if (!/^[[{]/.test(bare)) return undefined;
  const calls = readJsonCalls(bare, tools, 'strict');
  return calls && { text: '', calls };
}

/** `lenient`: what can't be read is a call with a problem, when at least its tool can be told. */
function readJsonCalls(
  json: string,
  tools: readonly ModelTool[],
  manner: 'lenient' | 'strict',
): FoundCall[] | undefined {
  const { args, problem } = readArguments(json.trim().startsWith('[') ? `{"calls":${json}}` : json, false);
  if (problem !== undefined) return manner === 'lenient' ? brokenCall(json, problem, tools) : undefined;
  const items = Array.isArray(args.calls) && Object.keys(args).length === 1 ? args.calls : [args];
  const calls = items.map((item) => readJsonCall(item, tools));
  return calls.every((call) => call !== undefined) ? calls : undefined;
}

function readJsonCall(item: unknown, tools: readonly ModelTool[]): FoundCall | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const { name, function: inner, ...more } = item as Record<string, unknown>;
  if (name === undefined && typeof inner === 'object') return readJsonCall(inner, tools);
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) return undefined;
  const given = ['arguments', 'parameters', 'args', 'input'].find((key) => Object.hasOwn(more, key));
  const value = given === undefined ? {} : more[given];
  return {
    tool: tool.name,
    ...readArguments(typeof value === 'string' ? value : JSON.stringify(value), false),
  };
}

function brokenCall(json: string, problem: string, tools: readonly ModelTool[]): FoundCall[] | undefined {
  const name = /"name"\s*:\s*"([^"]+)"/.exec(json)?.[1];
  return tools.some((tool) => tool.name === name) && name !== undefined
    ? [{ tool: name, args: {}, problem }]
    : undefined;
}

function codeBlocks(text: string): { from: number; to: number }[] {
  return [...text.matchAll(/```[\s\S]*?(?:```|$)|`[^`\n]*`/g)].map(({ index, 0: { length } }) => ({
    from: index,
    to: index + length,
  }));
}
