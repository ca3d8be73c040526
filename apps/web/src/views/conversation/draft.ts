// What was typed and not yet sent, kept by this browser for each session, so that no reload or lost connection costs it.
import { remembered } from '../../remembered.ts';

type Drafts = Record<string, string>;

const mostKept = 50;
const waitMs = 200;
const kept = remembered<Drafts>('drafts', {});
let waiting: { key: string; text: string } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

window.addEventListener('pagehide', flush);

export function readDraft(session: string): string {
  flush();
  const drafts = kept.read();
  return Object.hasOwn(drafts, keyOf(session)) ? (drafts[keyOf(session)] ?? '') : '';
}

/** Written a moment later: a key press should not wait for the disk. */
export function keepDraft(session: string, text: string): void {
  const key = keyOf(session);
  if (waiting !== undefined && waiting.key !== key) flush();
  waiting = { key, text };
  timer ??= setTimeout(flush, waitMs);
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting === undefined) return;
  const { key, text } = waiting;
  waiting = undefined;
  const { [key]: _old, ...others } = kept.read();
  const entries = Object.entries(text === '' ? others : { ...others, [key]: text });
  kept.write(Object.fromEntries(entries.slice(-mostKept)));
}

function keyOf(session: string): string {
  return `s:${session}`;
}
