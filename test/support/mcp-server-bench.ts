// A gateway that MCP clients use: what its log says, what waits there, and deciding it from elsewhere.
import type { SessionEvent } from '@codelab/protocol';
import { expect } from 'vitest';
import type { GatewayBench } from './gateway-bench.ts';
import { type Answering, type Flavour, type McpUser, mcpUser } from './mcp-user.ts';

type Json = Record<string, unknown>;
type Waiting = { session_id: string; approval: { id: string } };

export const user = (
  bench: GatewayBench,
  flavour: Flavour,
  answer?: Answering,
  query = '',
): Promise<McpUser> =>
  mcpUser(
    { url: `${bench.running.url}/mcp${query}`, token: 'secret-token' },
    { flavour, ...(answer && { answer }) },
  );

export const approving: Answering = () => ({ action: 'accept', content: { decision: 'approve' } });
export const write = { path: 'b.txt', content: 'new\n' };

export async function events(bench: GatewayBench): Promise<SessionEvent['body'][]> {
  const { log } = bench.running.gateway.host;
  const all = await Promise.all((await log.sessions()).map(({ id }) => log.read(id)));
  return all.flat().map(({ body }) => body);
}

export async function decidedBy(bench: GatewayBench): Promise<unknown[]> {
  return (await events(bench)).flatMap((body) =>
    body.type === 'approval.decided' ? [[body.decision.kind, body.by.via]] : [],
  );
}

/** The question that waits, once there is one. */
export async function nextPending(bench: GatewayBench): Promise<Waiting> {
  return await expect
    .poll(() => pending(bench), { timeout: 10_000 })
    .not.toHaveLength(0)
    .then(async () => {
      const [first] = await pending(bench);
      if (first === undefined) throw new Error('nothing waits');
      return first;
    });
}

export async function pending(bench: GatewayBench): Promise<Waiting[]> {
  const { gateway } = bench.running;
  const operator = { subject: 'tester', via: 'test', isOperator: true as const };
  const found = await Promise.all(
    (await gateway.sessions(operator)).map(async ({ id }) =>
      (await (await gateway.session(id, operator)).pending()).map((approval) => ({
        session_id: id,
        approval,
      })),
    ),
  );
  return found.flat();
}

export const decide = (
  bench: GatewayBench,
  { session_id, approval }: Waiting,
  decision: Json,
): Promise<Response> =>
  bench.request(`/api/v1/sessions/${session_id}/decisions`, {
    method: 'POST',
    body: JSON.stringify({ approval_id: approval.id, decision }),
  });
