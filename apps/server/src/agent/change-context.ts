// Pins a file to a session, so that the model sees it as it is at every turn, or lets go of it. Recorded only after a look at the file.
import { ToolError } from '@codelab/protocol';
import { createRegistry, defaultProfile, type Host, readText } from '@codelab/runtime';

export type ContextChange =
  | { op: 'add_file'; path: string }
  | { op: 'remove_file'; path: string }
  | { op: 'clear' };

const maxPinnedBytes = 256 * 1024;

/** Returns the path as it is known from now on. */
export async function changeContext(
  host: Host,
  session: string,
  change: ContextChange,
): Promise<string | undefined> {
  const path = change.op === 'clear' ? undefined : await settle(host, session, change);
  const live = await host.session(session);
  const where = path === undefined ? {} : { path };
  await live.commit(() => [{ type: 'context.changed', op: change.op, ...where }]);
  return path;
}

async function settle(
  host: Host,
  session: string,
  { op, path }: Exclude<ContextChange, { op: 'clear' }>,
): Promise<string> {
  try {
    return await checked(host, session, path);
  } catch (error) {
    // What is gone, or may be shown no more, can still be let go of.
    if (op === 'remove_file' && error instanceof ToolError) return path;
    throw error;
  }
}

async function checked(host: Host, session: string, path: string): Promise<string> {
  const registry = await createRegistry(host, { session, profile: defaultProfile, dialect: 'codelab' });
  const { plan, verdict } = await registry.approvalRequest('read_file', { path });
  if (verdict.verdict !== 'allow')
    throw new ToolError('PERMISSION_DENIED', `${path} can’t be pinned: ${verdict.reason}`, {
      rule: verdict.rule,
    });
  const real = plan.touches[0]?.path ?? path;
  readText(host.workspace, real, { maxBytes: maxPinnedBytes, followLast: true });
  return real;
}
