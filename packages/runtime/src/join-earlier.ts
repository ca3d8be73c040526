// The same call id again: the stored outcome, the outcome of whoever runs it now, or a refusal when it is another call.
import { type Outcome, type ToolCall, ToolError } from '@codelab/protocol';
import type { Host } from './host.ts';
import { askedOf, type LiveSession } from './live-session.ts';
import { isLeftToClient, settleUnknown } from './recover.ts';
import { isAlive } from './workspace/process-identity.ts';

export async function joinEarlier(
  host: Host,
  session: LiveSession,
  call: ToolCall,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  await session.catchUp();
  const open = session.openCalls.get(call.id);
  if (open === undefined && session.finished(call.id) === undefined) return undefined;
  if ((await session.asked(call.id)) !== askedOf({ call })) {
    throw new ToolError(
      'DUPLICATE_CALL',
      `The call id ${JSON.stringify(call.id)} was used before with other arguments. Use a new one.`,
    );
  }
  if (open?.state === 'running') {
    if (isAlive(open.owner) || isLeftToClient(host, session, open))
      await session.waitFor(() => session.finished(call.id), signal);
    else await settleUnknown(host, session, open);
  }
  return await session.outcome(call.id);
}
