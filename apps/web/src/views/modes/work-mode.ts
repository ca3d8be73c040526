// How much the agent does unasked in the session on the screen, or in the one that the next message begins.
import type { PolicyMode } from '@codelab/protocol';
import { api } from '../../api/api.ts';
import { currentSession, useCurrentSession } from '../../session/current-session.ts';
import { useSession } from '../../session/session-store.ts';
import { useSettings } from '../../settings-store.ts';
import { useCatalogue } from '../conversation/composer/catalogue-store.ts';
import { usePicks } from '../conversation/composer/send-message.ts';

/** A mode, or the role that only plans. */
export type WorkMode = PolicyMode | 'plan';

/** Undefined until the gateway has said it. */
export function useWorkMode(): WorkMode | undefined {
  const settings = useSettings();
  const isNew = useCurrentSession() === '';
  const sessionMode = useSession(({ mode }) => mode);
  const ofSession = useSession(({ profile }) => profile);
  const picked = usePicks(({ mode }) => mode);
  const profile = usePicks((picks) => picks.profile) || ofSession;
  if (profile === 'plan') return 'plan';
  return isNew ? (picked ?? settings?.new_session_mode) : (sessionMode ?? settings?.mode);
}

/** Plan only is a role: leaving it goes back to the usual one. */
export async function chooseWorkMode(wanted: WorkMode, ofSession: string): Promise<void> {
  if (wanted === 'plan') {
    usePicks.setState({ profile: 'plan' });
    return;
  }
  const { profile } = usePicks.getState();
  if ((profile || ofSession) === 'plan') usePicks.setState({ profile: useCatalogue.getState().defaultAgent });
  const session = currentSession();
  if (session === '') usePicks.setState({ mode: wanted });
  else await api.sessions.update(session, { mode: wanted });
}
