// Calls in the marks of a model's own template, which a server did not read: DeepSeek's, Kimi's and those of gpt-oss.
import type { ModelTool } from '../model.ts';
import type { FoundCall } from './found-call.ts';
import { readArguments } from './read-arguments.ts';
import { toolNames } from './tool-names.ts';

/** Each pattern gives the name of the tool and its arguments. */
const forms: readonly { mark: string; pattern: RegExp }[] = [
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
    mark: '<|channel|>commentary to=',
    pattern:
      /(?:<\|start\|>assistant)?<\|channel\|>commentary to=(?<name>[\w.:-]+)\s*(?:<\|constrain\|>\s*json)?\s*<\|message\|>(?<args>[\s\S]*?)(?:<\|call\|>|$)/g,
  },
];

/** What stands around several of them. */
const wrappers = /<｜tool▁calls▁(?:begin|end)｜>|<\|tool_calls_section_(?:begin|end)\|>/g;

/** Where text has to be held back, because a call may begin. */
export const callMarks = [
  '<｜tool▁calls▁begin｜>',
  '<|tool_calls_section_begin|>',
  '<|channel|>commentary to=',
];

export function findMarked(
  text: string,
  tools: readonly ModelTool[],
  isQuoted: (at: number) => boolean,
): { text: string; calls: FoundCall[] } | undefined {
  const form = forms.find(({ mark }) => text.includes(mark));
  if (form === undefined) return undefined;
  const names = toolNames(tools);
  const calls: FoundCall[] = [];
  const left = text.replace(form.pattern, (piece: string, name: string, args: string, at: number) => {
    const tool = names.fromWire(name);
    if (!names.isTool(tool) || isQuoted(at)) return piece;
    calls.push({ tool, ...readArguments(args, false) });
    return '';
  });
  return calls.length === 0 ? undefined : { text: left.replace(wrappers, '').trim(), calls };
}
