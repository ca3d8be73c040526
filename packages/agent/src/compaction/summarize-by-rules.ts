// Notes on a conversation made without a model: what the user asked for, what was done and to which files.

import type { ModelMessage } from '../model.ts';
import { cutText, estimateTokens, headWithin, tailWithin } from './estimate-tokens.ts';

const maxLine = 300;
const maxResult = 200;
/** What the model found out is in what it said. */
const maxSaid = 1000;
const maxLines = 40;

/** Each fact kept beside a summary has a heading of this form. */
const factsMark = '\n\n=== ';
export const summaryMark = '[COMPACTION_SUMMARY]\n';

/** The notes of a summary, without its mark and the facts beside them. */
export function proseOf(summary: string): string {
  const [prose = ''] = summary.split(factsMark);
  return prose.startsWith(summaryMark) ? prose.slice(summaryMark.length) : prose;
}

const sinceMark = '\n\nSince then:\n';

/** The notes that the model made last, and what was done since, the latest of it, in so many tokens. */
export function notesByRules(messages: readonly ModelMessage[], tokens: number): string {
  const earlier = messages.findLast((one) => one.role === 'user' && one.text.startsWith(summaryMark));
  const [notes = '', since = ''] = (earlier?.role === 'user' ? proseOf(earlier.text) : '').split(sinceMark);
  const kept = headWithin(notes, tokens / 2);
  const done = `${since}\n${summarizeByRules(messages)}`.trim();
  return `${kept}${sinceMark}${tailWithin(done, tokens - estimateTokens(kept))}`.trim();
}

export function summarizeByRules(messages: readonly ModelMessage[]): string {
  const asked = messages.flatMap((one) =>
    one.role === 'user' && !one.text.startsWith(summaryMark) ? [line(one.text)] : [],
  );
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
