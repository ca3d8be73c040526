// The same call id again: the stored outcome, the outcome of whoever runs it now, or a refusal when it is another call.
import { type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import type { Host } from './host.ts';
import { askedOf, type LiveSession } from './live-session.ts';
import { settleUnknown } from './recover.ts';
import { isAlive } from './workspace/process-identity.ts';

export async function joinEarlier(
  host: Host,
  session: LiveSession,
  call: ToolCall,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  await session.catchUp();
  const finished = session.finished(call.id);
  const open = session.openCalls.get(call.id);
  if (finished === undefined && open === undefined) return undefined;
  const asked = finished?.asked ?? (open && askedOf(open));
  if (asked !== askedOf({ call })) {
    throw new ToolError(
      'DUPLICATE_CALL',
      `The call id ${JSON.stringify(call.id)} was used before with other arguments. Use a new one.`,
    );
  }
  if (open?.state === 'running') {
    if (isAlive(open.owner)) await session.waitFor(() => session.finished(call.id), signal);
    else await settleUnknown(host, session, open);
  }
  return await session.outcome(call.id);
}
