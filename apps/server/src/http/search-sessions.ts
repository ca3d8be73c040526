// Full-text search over all sessions of a person: the texts of each session are read from its log once, then cached.
import type { SearchHit } from '@codelab/api';
import type { SessionEvent, SessionLog, SessionSummary } from '@codelab/protocol';
import type { SessionIndex } from './session-index.ts';
import { createSessionFold, type SessionFold } from './work/session-fold.ts';

type Spoken = { seq: number; time: number; role: 'user' | 'assistant'; text: string };
type SpokenTexts = SessionFold<Spoken[]>;

const mostSessions = 500;
const maxText = 50_000;
const hitsPerSession = 5;
/** Reading very many logs for the first time is cut off; the next search continues from there. */
const maxMs = 3000;

export function createSessionTexts(log: SessionLog): SpokenTexts {
  return createSessionFold<Spoken[]>(log, { blank: () => [], take }, { most: mostSessions });
}

function take(texts: Spoken[], { seq, time, body }: SessionEvent): void {
  if ((body.type === 'turn.started' || body.type === 'turn.steered') && body.agent === undefined)
    add(texts, { seq, time, role: 'user', text: body.text });
  if (body.type === 'model.replied' && body.agent === undefined)
    add(texts, { seq, time, role: 'assistant', text: body.reply.text });
}

function add(texts: Spoken[], { text, ...facts }: Spoken): void {
  if (text.trim() !== '') texts.push({ ...facts, text: text.slice(0, maxText) });
}

type SessionSearch = { query: string; limit: number; texts: SpokenTexts; index: SessionIndex };

/** `complete`: every session was searched. */
export async function searchSessions(
  sessions: readonly SessionSummary[],
  { query, limit, texts, index }: SessionSearch,
): Promise<{ hits: SearchHit[]; complete: boolean }> {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const hits: SearchHit[] = [];
  const until = performance.now() + maxMs;
  for (const { id, head, openedAt } of sessions) {
    if (hits.length >= limit || performance.now() > until)
      return { hits: hits.slice(0, limit), complete: false };
    const [facts] = await index.all([{ id, head, openedAt, lastAt: openedAt, workspace: '' }]);
    const title = facts?.facts.title ?? '';
    const found = { session_id: id, title };
    if (hasAllWords(title, words))
      hits.push({ ...found, seq: 1, time: isoTime(openedAt), role: 'title', excerpt: title });
    const matchingTexts = (await texts(id, head)).filter(({ text }) => hasAllWords(text, words));
    for (const { seq, time, role, text } of matchingTexts.slice(-hitsPerSession).reverse())
      hits.push({ ...found, seq, time: isoTime(time), role, excerpt: excerptOf(text, words) });
  }
  return { hits: hits.slice(0, limit), complete: true };
}

function hasAllWords(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return words.length > 0 && words.every((word) => lower.includes(word));
}

function excerptOf(text: string, [first = '']: readonly string[]): string {
  const at = Math.max(0, text.toLowerCase().indexOf(first));
  const from = Math.max(0, at - 60);
  const cut = text.slice(from, at + 140).replaceAll(/\s+/g, ' ');
  return `${from > 0 ? '…' : ''}${cut}${at + 140 < text.length ? '…' : ''}`;
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
