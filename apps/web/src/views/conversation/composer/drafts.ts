// What was typed and not yet sent, for each session, so that no reload, lost connection or other device costs it.
import { sessionValue } from '../../../session/screen-state.ts';

const isText = (value: unknown): boolean => typeof value === 'string';
const drafts = sessionValue<string>('draft', isText);
const waitMs = 200;
let waiting: { session: string; text: string } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

// Not there where a test reads this without a page.
globalThis.addEventListener?.('pagehide', flush);

export function savedDraft(session: string): string {
  flush();
  return drafts.read(session) ?? '';
}

/** Written a moment later: a key press should not wait for the disk. */
export function keepDraft(session: string, text: string): void {
  if (waiting !== undefined && waiting.session !== session) flush();
  waiting = { session, text };
  timer ??= setTimeout(flush, waitMs);
}

/** Written at once: the message is kept elsewhere from now on. */
export function clearDraft(session: string): void {
  keepDraft(session, '');
  flush();
}

/** A text that was not taken stands before what was typed since. */
export function joinDrafts(text: string, since: string): string {
  return since === '' ? text : `${text}\n${since}`;
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting === undefined) return;
  const { session, text } = waiting;
  waiting = undefined;
  if (text !== (drafts.read(session) ?? '')) drafts.write(session, text);
}

/** What another device typed later than this one; undefined where it typed nothing. */
export const draftOfOtherDevice = (session: string): Promise<string | undefined> => drafts.newer(session);

/** Messages that are being edited to be sent again, by their place in the log. */
const edits = sessionValue<Record<string, string>>(
  'edits',
  (value) => typeof value === 'object' && value !== null,
);

export function readEdit(session: string, key: string): string | undefined {
  return edits.read(session)?.[key];
}

/** Undefined when it was sent or given up. */
export function keepEdit(session: string, key: string, text: string | undefined): void {
  const { [key]: _old, ...others } = edits.read(session) ?? {};
  edits.write(session, text === undefined ? others : { ...others, [key]: text });
}
