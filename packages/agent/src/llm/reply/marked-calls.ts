// Calls in the markup of a model's own template, which a server did not parse: DeepSeek's, Kimi's, Mistral's and gpt-oss's.

import type { WantedCall } from '@codelab/protocol';
import type { ModelTool } from '../../model.ts';
import { toolNames } from '../request/tool-names.ts';
import { cutArguments, parseArguments } from './read-arguments.ts';

/** Each pattern captures the name of the tool and its arguments. */
const templates: readonly { mark: string; pattern: RegExp }[] = [
  {
    mark: '<｜tool▁call▁begin｜>',
    pattern:
      /<｜tool▁call▁begin｜>(?:function<｜tool▁sep｜>)?(?<name>[\w.:-]+)(?:<｜tool▁sep｜>|\s*\n)(?<args>[\s\S]*?)<｜tool▁call▁end｜>/g,
  },
  {
    mark: '<|tool_call_begin|>',
    pattern:
      /<\|tool_call_begin\|>\s*(?<name>[\w.-]+)(?::\d+)?\s*<\|tool_call_argument_begin\|>(?<args>[\s\S]*?)<\|tool_call_end\|>/g,
  },
  {
    mark: '[ARGS]',
    pattern:
      /\[TOOL_CALLS\]\s*(?<name>[\w.-]+)(?:\[CALL_ID\][\w-]+)?\[ARGS\](?<args>[\s\S]*?)(?=\[TOOL_CALLS\]|<\/s>|$)/g,
  },
  {
    mark: '<|channel|>commentary to=',
    pattern:
      /(?:<\|start\|>assistant)?<\|channel\|>commentary to=(?<name>[\w.:-]+)\s*(?:<\|constrain\|>\s*json)?\s*<\|message\|>(?<args>[\s\S]*?)(?:<\|call\|>|$)/g,
  },
];

/** Markup around several calls. */
const wrappers = /<｜tool▁calls▁(?:begin|end)｜>|<\|tool_calls_section_(?:begin|end)\|>/g;

/** Text is held back from here on, because a call may begin. */
const callMarks = ['<｜tool▁calls▁begin｜>', '<|tool_calls_section_begin|>', '<|channel|>commentary to='];

export function findMarkedCalls(
  text: string,
  tools: readonly ModelTool[],
  isQuoted: (at: number) => boolean,
): { text: string; calls: TextCall[] } | undefined {
  const form = templates.find(({ mark }) => text.includes(mark));
  if (form === undefined) return undefined;
  const names = toolNames(tools);
  const calls: TextCall[] = [];
  const rest = text.replace(form.pattern, (piece: string, name: string, args: string, at: number) => {
    const tool = names.fromWire(name);
    if (!names.isTool(tool) || isQuoted(at)) return piece;
    calls.push({ tool, ...parseArguments(args, false) });
    return '';
  });
  return calls.length === 0 ? undefined : { text: rest.replace(wrappers, '').trim(), calls };
}

/** A call found in a text; it gets its id later. */
export type TextCall = Omit<WantedCall, 'id'>;

/**
 * One call in tags: `<function=x><parameter=y>value</parameter></function>` of Qwen's models, `<invoke name="x"><parameter
 * name="y">value` of Claude's and MiniMax's, `x<arg_key>y</arg_key><arg_value>value` of GLM's. Values are bare text, so the tool's
 * schema decides their type.
 */
const tagForms: readonly { name: RegExp; parameter: RegExp; end: string }[] = [
  {
    name: /<function=([^>\s]+)>/,
    parameter: /<parameter=([^>\s]+)>([\s\S]*?)(?:<\/parameter>|(?=<parameter=)|<\/function>|$)/g,
    end: '</function>',
  },
  {
    name: /<invoke name="([^"]+)"\s*>/,
    parameter:
      /<parameter name="([^"]+)"[^>]*>([\s\S]*?)(?:<\/parameter>|(?=<parameter name=)|<\/invoke>|$)/g,
    end: '</invoke>',
  },
  {
    name: /^(?:<tool_call>)?\s*([\w.-]+)\s*(?:<arg_key>|<\/tool_call>|$)/,
    parameter: /<arg_key>\s*([^<]+?)\s*<\/arg_key>\s*<arg_value>([\s\S]*?)(?:<\/arg_value>|$)/g,
    end: '</tool_call>',
  },
];

/** Undefined when no tool has that name. `wasCut`: the reply ended at its length limit, so an unterminated value is incomplete. */
export function readTaggedCall(
  piece: string,
  tools: readonly ModelTool[],
  wasCut: boolean,
): TextCall | undefined {
  const form = tagForms.find(({ name }) => name.test(piece));
  const name = form?.name.exec(piece)?.[1];
  const tool = tools.find((candidate) => candidate.name === name);
  if (form === undefined || tool === undefined) return undefined;
  if (wasCut && !piece.includes(form.end)) return { tool: tool.name, args: {}, problem: cutArguments };
  const entries = [...piece.matchAll(form.parameter)].map(([, key = '', value = '']): [string, unknown] => [
    key,
    readValue(value.replace(/^\n/, '').replace(/\n$/, ''), typesOf(tool, key)),
  ]);
  if (entries.some(([key]) => key === '__proto__'))
    return { tool: tool.name, args: {}, problem: 'The name `__proto__` is not accepted.' };
  const names = entries.map(([key]) => key);
  const twice = names.find((key, i) => names.indexOf(key) !== i);
  if (twice !== undefined)
    return { tool: tool.name, args: {}, problem: `The parameter \`${twice}\` is given twice. Give it once.` };
  return { tool: tool.name, args: Object.fromEntries(entries) };
}

function readValue(text: string, types: readonly string[]): unknown {
  if (types.length === 0 || types.includes('string')) return text;
  try {
    return JSON.parse(text.trim());
  } catch {
    return text;
  }
}

/** Empty when the schema does not say; the value then stays text. */
function typesOf(tool: ModelTool, key: string): string[] {
  const { properties } = (tool.input ?? {}) as { properties?: Record<string, { type?: unknown }> };
  const type = properties !== undefined && Object.hasOwn(properties, key) ? properties[key]?.type : undefined;
  return [type].flat().filter((typeName) => typeof typeName === 'string');
}

/** Holds back text from where a call written as text may begin, so that markup of a call is never shown. */
export type TextGate = {
  /** The text that may be shown now, including what was held back before. */
  pass(delta: string): string;
  /** The text held back to the end. */
  rest(): string;
};

const openings = [
  '<tool_call>',
  '<function=',
  '<function_calls>',
  '<invoke name=',
  '<minimax:tool_call>',
  ...callMarks,
];

export function textGate(): TextGate {
  let buffered = '';
  let isClosed = false;
  return {
    pass(delta) {
      buffered += delta;
      if (isClosed) return '';
      const at = openingIn(buffered);
      isClosed = at.isWhole;
      const plainText = buffered.slice(0, at.index);
      buffered = buffered.slice(at.index);
      return plainText;
    },
    rest() {
      const rest = buffered;
      buffered = '';
      return rest;
    },
  };
}

/** The index of a complete opening mark, or of the beginning of one at the end of the text, or the end of the text. */
function openingIn(text: string): { index: number; isWhole: boolean } {
  const indexes = openings.map((opening) => text.indexOf(opening)).filter((index) => index !== -1);
  if (indexes.length > 0) return { index: Math.min(...indexes), isWhole: true };
  const last = text.lastIndexOf('<');
  const tail = last === -1 ? '' : text.slice(last);
  const mayBegin = tail !== '' && openings.some((opening) => opening.startsWith(tail));
  return { index: mayBegin ? last : text.length, isWhole: false };
}
