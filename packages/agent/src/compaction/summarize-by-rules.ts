// Notes on a conversation made without a model: what the user asked for, what was done and to which files.

import type { ModelMessage } from '../model.ts';
import { cutText, estimateTokens, headWithin, tailWithin } from './estimate-tokens.ts';

const maxLine = 300;
const maxResult = 200;
/** Characters kept of a model's text, which holds what the model found out. */
const maxSaid = 1000;
const maxLines = 40;

/** Heading of each fact beside a summary. */
const factsMark = '\n\n=== ';
export const summaryMark = '[COMPACTION_SUMMARY]\n';

/** The notes of a summary, without its mark and the facts beside them. */
export function proseOf(summary: string): string {
  const [prose = ''] = summary.split(factsMark);
  return prose.startsWith(summaryMark) ? prose.slice(summaryMark.length) : prose;
}

const sinceMark = '\n\nSince then:\n';

/** The model's last notes, followed by the latest of what was done since, in so many tokens. */
export function notesByRules(messages: readonly ModelMessage[], tokens: number): string {
  const earlier = messages.findLast(
    (message) => message.role === 'user' && message.text.startsWith(summaryMark),
  );
  const [notes = '', since = ''] = (earlier?.role === 'user' ? proseOf(earlier.text) : '').split(sinceMark);
  const head = headWithin(notes, tokens / 2);
  const summary = `${since}\n${summarizeByRules(messages)}`.trim();
  return `${head}${sinceMark}${tailWithin(summary, tokens - estimateTokens(head))}`.trim();
}

export function summarizeByRules(messages: readonly ModelMessage[]): string {
  const requests = messages.flatMap((message) =>
    message.role === 'user' && !message.text.startsWith(summaryMark) ? [line(message.text)] : [],
  );
  const calls = messages.flatMap((message) => (message.role === 'assistant' ? message.reply.calls : []));
  const results = new Map(
    messages.flatMap((message) => (message.role === 'tool' ? [[message.callId, message]] : [])),
  );
  const callLines = calls.map(({ id, tool, args }) => {
    const result = results.get(id);
    const call = line(`${tool} ${JSON.stringify(args)}`);
    return `${result?.isError ? 'failed: ' : ''}${call}${result ? ` → ${line(result.text, maxResult)}` : ''}`;
  });
  const files = new Set(calls.flatMap(({ args }) => (typeof args.path === 'string' ? [args.path] : [])));
  const replies = messages.flatMap((message) =>
    message.role === 'assistant' && message.reply.text.trim() !== ''
      ? [line(message.reply.text, maxSaid)]
      : [],
  );
  const sections: [string, string[]][] = [
    ['Goal', requests.slice(0, 1)],
    ['Instructions', requests.slice(1)],
    ['Accomplished', callLines],
    ['Said', replies],
    ['Files', [...files].map((path) => line(path))],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(
      ([name, lines]) =>
        `${name}\n${lines
          .slice(-maxLines)
          .map((item) => `- ${item}`)
          .join('\n')}`,
    )
    .join('\n\n');
}

function line(text: string, maxChars = maxLine): string {
  return cutText(text, maxChars).replaceAll('\n', ' ').trim();
}
