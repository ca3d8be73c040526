// An executor and somebody who decides, in one new session of a gateway, and what they say.
import type { Client, GatewayBench } from './gateway-bench.ts';

type Json = Record<string, unknown>;
export type Pair = { works: Client; decides: Client };

export const executor = (more = '') => ({ query: `?role=executor${more}` });
export const write = { path: '/a.txt', content: 'new\n' };
export const written = { type: 'tool_result', call_id: 'c1', result: { success: true, bytes_written: 4 } };

/** It is to be carried out now. */
export const isOrder = (one: Json): boolean => one.state !== undefined;
export const isQuestion = (one: Json): boolean => one.requires_approval === true;

export const call = (tool_name: string, args: Json, call_id = 'c1') => ({
  type: 'tool_call',
  call_id,
  tool_name,
  arguments: args,
});

export async function pair(bench: GatewayBench, more = ''): Promise<Pair> {
  const works = await bench.connect('s1', executor(more));
  const decides = await bench.connect('s1', { query: '?role=approver' });
  return { works, decides };
}

/** Where `write` was approved under the id c1. */
export async function approved(bench: GatewayBench, more = ''): Promise<Pair> {
  const { works, decides } = await pair(bench, more);
  decides.send(call('write_file', write));
  await decides.next('tool_call', isQuestion);
  decides.send({ type: 'hitl_decision', call_id: 'c1', decision: 'approve' });
  return { works, decides };
}
