// The session on the screen; one is begun when there is none, because whatever a person does is recorded in one.
import { api } from '../api/api.ts';
import { currentSession, openSession } from './current-session.ts';

export async function ensureSession(): Promise<string> {
  const known = currentSession();
  if (known !== '') return known;
  const { id } = await api.sessions.create();
  openSession(id);
  return id;
}
