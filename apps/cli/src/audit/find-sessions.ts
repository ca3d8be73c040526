// The sessions a command is about: the one that was named, or those of this workspace, the newest first.
import { type SessionLog, type SessionSummary, ToolError } from '@codelab/protocol';

type Wanted = { id?: string | undefined; root?: string | undefined };

export async function findSessions(log: SessionLog, { id, root }: Wanted): Promise<SessionSummary[]> {
  const all = await log.sessions();
  if (id === undefined) return all.filter(({ workspace }) => root === undefined || workspace === root);
  const found = all.filter((one) => one.id === id);
  if (found.length === 0)
    throw new ToolError(
      'SESSION_NOT_FOUND',
      `There is no session ${JSON.stringify(id)}. \`codelab sessions list --all\` lists them.`,
    );
  return found;
}
