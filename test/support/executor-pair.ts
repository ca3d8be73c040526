// An executor and a deciding person in one new session of a gateway, and their messages.
import type { Client, GatewayBench } from './gateway-bench.ts';

type Json = Record<string, unknown>;
export type Pair = { executorClient: Client; approverClient: Client };

export const executor = (extraQuery = '') => ({ query: `?role=executor${extraQuery}` });
export const write = { path: '/a.txt', content: 'new\n' };
export const written = { type: 'tool_result', call_id: 'c1', result: { success: true, bytes_written: 4 } };

/** An order to run the call now. */
export const isOrder = (message: Json): boolean => message.state !== undefined;
export const isQuestion = (message: Json): boolean => message.requires_approval === true;

export const call = (tool_name: string, args: Json, call_id = 'c1') => ({
  type: 'tool_call',
  call_id,
  tool_name,
  arguments: args,
});

export async function pair(bench: GatewayBench, extraQuery = ''): Promise<Pair> {
  const executorClient = await bench.connect('s1', executor(extraQuery));
  const approverClient = await bench.connect('s1', { query: '?role=approver' });
  return { executorClient, approverClient };
}

/** The pair after the call `write` with id c1 was approved. */
export async function approved(bench: GatewayBench, extraQuery = ''): Promise<Pair> {
  const { executorClient, approverClient } = await pair(bench, extraQuery);
  approverClient.send(call('write_file', write));
  await approverClient.next('tool_call', isQuestion);
  approverClient.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  return { executorClient, approverClient };
}
