// Notes on a conversation made without a model: what the user asked for, what was done and to which files.
import { cutText } from './cut-text.ts';
import type { ModelMessage } from './model.ts';

const maxLine = 300;
const maxLines = 40;

export function summarizeByRules(messages: readonly ModelMessage[]): string {
  const asked = messages.flatMap((one) => (one.role === 'user' ? [line(one.text)] : []));
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? one.reply.calls : []));
  const failed = new Set(messages.flatMap((one) => (one.role === 'tool' && one.isError ? [one.callId] : [])));
  const done = calls.map((call) =>
    line(`${failed.has(call.id) ? 'failed: ' : ''}${call.tool} ${JSON.stringify(call.args)}`),
  );
  const files = new Set(calls.flatMap(({ args }) => (typeof args.path === 'string' ? [args.path] : [])));
  const last = messages.findLast((one) => one.role === 'assistant' && one.reply.text !== '');
  const sections: [string, string[]][] = [
    ['Goal', asked.slice(0, 1)],
    ['Instructions', asked.slice(1)],
    ['Accomplished', done],
    ['Next', last?.role === 'assistant' ? [line(last.reply.text)] : []],
    ['Files', [...files].map(line)],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([name, lines]) =>
        `${name}\n${lines
          .slice(-maxLines)
          .map((one) => `- ${one}`)
          .join('\n')}`,
    )
    .join('\n\n');
}

function line(text: string): string {
  return cutText(text, maxLine).replaceAll('\n', ' ').trim();
}
