// One call that a person makes in a session, recorded under their name; a failure is thrown.
import { ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { actorOf, type Peer, type SharedSession } from '../../sessions/gateway.ts';

/** `Data` is the result of the tool, as the API table declares it for the route. */
export async function callAsPerson<Data>(
  session: SharedSession,
  by: Peer,
  tool: string,
  args: Record<string, unknown>,
): Promise<Data> {
  const outcome = await session.call({ id: randomId(), tool, args, dialect: 'codelab' }, actorOf(by), {
    isConsented: true,
  });
  if (outcome.status === 'completed') return outcome.data as Data;
  const { code, message, details } = outcome.error;
  throw new ToolError(code, message, details);
}
