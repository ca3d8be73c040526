// One call that a person makes themselves in a session, recorded under their name; how it failed is thrown.
import { ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import type { Peer, SharedSession } from '../../sessions/gateway.ts';

export async function callAsPerson(
  session: SharedSession,
  by: Peer,
  tool: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const outcome = await session.call(
    { id: randomId(), tool, args, dialect: 'codelab' },
    { consent: { who: by.subject, via: by.via } },
  );
  if (outcome.status === 'completed') return outcome.data;
  const { code, message, details } = outcome.error;
  throw new ToolError(code, message, details);
}
