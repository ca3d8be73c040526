// Refuses a session whose files are with a client: what is done here would be done to other files.
import { type SessionLog, ToolError } from '@codelab/protocol';

export async function checkIsHere(log: SessionLog, session: string): Promise<void> {
  const [first] = await log.read(session, { limit: 1 });
  if (first?.body.type !== 'session.opened' || first.body.executor !== 'client') return;
  throw new ToolError(
    'INVALID_ARGUMENTS',
    `The files of ${session} are with the client that carries its calls out. Go on with it there, through the gateway.`,
  );
}
