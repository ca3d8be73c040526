// A line that breaks, or a gateway that is started again: whoever comes back hears the rest in the same words, and what waited has an end.
import { expect, test } from 'vitest';
import { type Client, gatewayBench } from '../support/gateway-bench.ts';

type Json = Record<string, unknown>;

const isTold = ({ type }: Json): boolean => type !== 'session_info' && type !== 'agent_status';
const isEnd = (message: Json): boolean => message.call_id === 'c3';

async function heardFrom(client: Client): Promise<Json[]> {
  await client.next('tool_result', isEnd);
  return client.received.filter(isTold);
}

test.each(['agent', 'codelab'])(
  'law: what comes after a number is the same on every line (%s)',
  async (dialect) => {
    await using bench = await gatewayBench({ files: { 'a.txt': 'one\n' } });
    const client = await bench.connect('s1', { query: `?dialect=${dialect}` });
    const make = (call_id: string, tool_name: string, args: Json): void => {
      const spelled = dialect === 'agent' ? { arguments: args } : { args };
      client.send({ type: 'tool_call', call_id, tool_name, ...spelled });
    };
    const path = dialect === 'agent' ? '/a.txt' : 'a.txt';
    make('c1', 'read_file', { path });
    await client.next('tool_result', (message) => message.call_id === 'c1');
    make('c2', 'write_file', { path, content: 'two\n' });
    await client.next('tool_call', (message) => message.requires_approval === true);
    client.send({ type: 'hitl_decision', call_id: 'c2', decision: 'approve' });
    await client.next('tool_result', (message) => message.call_id === 'c2');
    make('c3', 'list_files', { path: dialect === 'agent' ? '/' : '.' });
    await client.next('tool_result', isEnd);
    const all = await heardFrom(await bench.connect('s1', { query: `?dialect=${dialect}&since=0` }));
    expect(all.filter(({ type }) => type === 'tool_result')).toHaveLength(3);
    const numbers = all.flatMap(({ seq }) => (typeof seq === 'number' ? [seq] : []));
    for (const seq of numbers.slice(0, -1)) {
      const later = await bench.connect('s1', { query: `?dialect=${dialect}&since=${seq}` });
      const rest = all.slice(all.findIndex((one) => one.seq === seq) + 1);
      expect(await heardFrom(later), `after ${seq}`).toEqual(rest);
    }
  },
);

test('a question that nobody answers ends in time, also when whoever asked is gone', async () => {
  await using bench = await gatewayBench({ approvalMs: 1500 });
  const client = await bench.connect('s1');
  client.send({
    type: 'tool_call',
    call_id: 'c1',
    tool_name: 'write_file',
    args: { path: 'a', content: '' },
  });
  await client.next('tool_call');
  await bench.restart();
  const viewerClient = await bench.connect('s1', { query: '?role=viewer' });
  expect(await viewerClient.next('tool_result')).toMatchObject({
    call_id: 'c1',
    error_code: 'APPROVAL_EXPIRED',
  });
  const response = await bench.request('/api/v1/sessions/s1/pending-approvals');
  expect(await response.json()).toMatchObject({ pending_approvals: [] });
});
