// The conversation on the screen as a Markdown file, for people to read and keep. The whole record is under Audit.

import type { CallModel, Entry, SessionModel } from '../../session/session-model.ts';
import { useSessionStore } from '../../session/session-store.ts';
import { titleOf } from './calls/call-labels.tsx';
import { holdWholeSession } from './load-sections.ts';

export async function downloadMarkdown(): Promise<void> {
  const release = await holdWholeSession();
  const { model } = useSessionStore.getState();
  const text = sessionMarkdown(model);
  release();
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'text/markdown;charset=utf-8' }));
  link.download = `codelab-${model.id.slice(0, 8) || 'session'}.md`;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

export function sessionMarkdown({
  title,
  entries,
  calls,
}: Pick<SessionModel, 'title' | 'entries' | 'calls'>): string {
  const parts = entries.flatMap((entry) => partOf(entry, calls));
  return `# ${title === '' ? 'CodeLab session' : title}\n\n${parts.join('\n\n')}\n`;
}

function partOf(entry: Entry, calls: ReadonlyMap<string, CallModel>): string[] {
  switch (entry.kind) {
    case 'user':
      return [entry.text.replaceAll(/^/gm, '> ')];
    case 'said':
      return entry.text.trim() === '' ? [] : [entry.text.trim()];
    case 'call':
      return callPart(calls.get(entry.callId));
    case 'ended':
      return entry.end === 'completed' ? [] : [`*${entry.message || entry.end}*`];
    case 'notice':
      return [`*${entry.text}*`];
    default:
      return [];
  }
}

function callPart(view: CallModel | undefined): string[] {
  if (view === undefined) return [];
  const { outcome, plan } = view;
  const isGood = outcome?.status === 'completed';
  const exit = isGood ? outcome.data.exit_code : undefined;
  const mark = isGood && !exit ? '✔' : '✖';
  const line = `- ${mark} \`${titleOf(view).replaceAll('`', 'ˋ')}\``;
  const diff = isGood ? plan?.diff?.text : undefined;
  return diff === undefined || diff === '' ? [line] : [line, fenced(diff)];
}

/** A fence longer than any inside. */
function fenced(text: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}diff\n${text.trimEnd()}\n${fence}`;
}
