// A message on its way out: what is typed and not sent yet, what was picked for it, and the sending.

import { create } from 'zustand';
import { api } from '../../api/api.ts';
import { remembered } from '../../remembered.ts';
import { currentSession, openSession } from '../../session/current-session.ts';

// Says something in the session on the screen; one that does not exist yet is made by it.

/** Returns the session it was said in. What was only picked leaves the draft alone. */
export async function sendMessage(content: string, { isTyped = true } = {}): Promise<string> {
  const { profile, model } = usePicks.getState();
  const wish = { ...(profile !== '' && { agent_type: profile }) };
  const id = currentSession() || (await begin(isTyped ? content : '', wish));
  await api.sendMessage(id, content, { ...wish, ...(model !== '' && { model }) });
  return id;
}

// What was typed goes along as a draft: when it can't be said, it is still there.
async function begin(content: string, wish: { agent_type?: string }): Promise<string> {
  const { id } = await api.sessions.create(wish);
  if (content !== '') keepDraft(id, content);
  openSession(id);
  return id;
}

/** What was typed and not yet sent, kept by this browser for each session, so that no reload or lost connection costs it. */
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

/** Which profile and model the next message goes to; empty is what the session or the gateway has. */
export const usePicks = create<{ profile: string; model: string }>(() => ({ profile: '', model: '' }));
