// One call that a person makes themselves in a session, recorded under their name; how it failed is thrown.
import { ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { actorOf, type Peer, type SharedSession } from '../../sessions/gateway.ts';

export async function callAsPerson(
  session: SharedSession,
  by: Peer,
  tool: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  const outcome = await session.call({ id: randomId(), tool, args, dialect: 'codelab' }, actorOf(by), {
    isConsented: true,
  });
  if (outcome.status === 'completed') return outcome.data;
  const { code, message, details } = outcome.error;
  throw new ToolError(code, message, details);
}
