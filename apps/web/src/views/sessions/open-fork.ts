// Makes a session that begins as another one did, and goes there.
import type { Session } from '@codelab/api';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { openSession } from '../../session/current-session.ts';
import { currentText } from '../../text/use-text.ts';
import { toast } from '../../ui/toast.tsx';

const longestTitle = 200;

export async function openFork({ id, title }: Session, seq?: number): Promise<void> {
  const words = currentText().sessions;
  const fork = await api.sessions.fork(id, seq);
  // Two of the same name could not be told apart.
  const name = words.copyOf(title === '' ? words.untitled : title).slice(0, longestTitle);
  await api.sessions.update(fork.id, { title: name });
  openSession(fork.id);
  showView('conversation');
  toast(words.forked);
}
