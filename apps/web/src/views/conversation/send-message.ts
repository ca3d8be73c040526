// Says something in the session on the screen; one that does not exist yet is made by it.
import { api } from '../../api/api.ts';
import { currentSession, openSession } from '../../session/current-session.ts';
import { keepDraft } from './draft.ts';
import { usePicks } from './picks-store.ts';

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
