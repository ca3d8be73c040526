// Notes on a conversation made without a model: what the user asked for, what was done and to which files.
import { cutText } from './cut-text.ts';
import type { ModelMessage } from './model.ts';

const maxLine = 300;
const maxResult = 200;
/** What the model found out is in what it said. */
const maxSaid = 1000;
const maxLines = 40;

export function summarizeByRules(messages: readonly ModelMessage[]): string {
  const asked = messages.flatMap((one) => (one.role === 'user' ? [line(one.text)] : []));
  const calls = messages.flatMap((one) => (one.role === 'assistant' ? one.reply.calls : []));
  const results = new Map(messages.flatMap((one) => (one.role === 'tool' ? [[one.callId, one]] : [])));
  const done = calls.map(({ id, tool, args }) => {
    const result = results.get(id);
    const said = line(`${tool} ${JSON.stringify(args)}`);
    return `${result?.isError ? 'failed: ' : ''}${said}${result ? ` → ${line(result.text, maxResult)}` : ''}`;
  });
  const files = new Set(calls.flatMap(({ args }) => (typeof args.path === 'string' ? [args.path] : [])));
  const said = messages.flatMap((one) =>
    one.role === 'assistant' && one.reply.text.trim() !== '' ? [line(one.reply.text, maxSaid)] : [],
  );
  const sections: [string, string[]][] = [
    ['Goal', asked.slice(0, 1)],
    ['Instructions', asked.slice(1)],
    ['Accomplished', done],
    ['Said', said],
    ['Files', [...files].map((path) => line(path))],
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

function line(text: string, most = maxLine): string {
  return cutText(text, most).replaceAll('\n', ' ').trim();
}
