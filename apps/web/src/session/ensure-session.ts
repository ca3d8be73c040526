// The session on the screen; one is begun when there is none, because whatever a person does is recorded in one.
import { sessionsApi } from '../api/sessions.ts';
import { currentSession, openSession } from './current-session.ts';

export async function ensureSession(): Promise<string> {
  const known = currentSession();
  if (known !== '') return known;
  const { id } = await sessionsApi.create();
  openSession(id);
  return id;
}
