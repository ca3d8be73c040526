// A socket in the log's own words: what is told is what the log has, and nothing but a ping is taken.
import { expect, test } from 'vitest';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const neutral = (extraQuery = '') => ({ query: `?dialect=neutral${extraQuery}` });

test('entries and signals come as they are, from the beginning or from now on', async () => {
  await using bench = await gatewayBench({ files: { 'a.txt': 'x\n' } });
  const screen = await bench.connect('s1', neutral('&since=0'));
  expect(screen.received[0]).toEqual({
    type: 'session_info',
    session_id: 's1',
    role: 'approver',
    agent_type: 'build',
    status: 'idle',
    last_seq: 1,
  });
  const other = await bench.connect('s1');
  other.send({ type: 'user_message', content: 'Hi.' });
  await screen.next('event', ({ event }) => (event as { body: { type: string } }).body.type === 'turn.ended');
  const log = await bench.running.gateway.host.log.read('s1');
  const events = screen.received.filter(({ type }) => type === 'event');
  expect(events).toEqual(log.map((event) => ({ type: 'event', event })));
  expect(await screen.next('signal', ({ signal }) => (signal as { type: string }).type === 'text')).toEqual({
    type: 'signal',
    signal: { type: 'text', delta: 'Hello.' },
  });
  other.send({ type: 'switch_agent', agent_type: 'ask' });
  expect(await screen.next('switched')).toMatchObject({ from: 'build', to: 'ask' });
  const lateClient = await bench.connect('s1', neutral(`&since=${log.length}`));
  lateClient.send({ type: 'ping' });
  await lateClient.next('pong');
  expect(lateClient.received.filter(({ type }) => type === 'event')).toEqual([]);
});

test('who only listens says nothing, whatever the role', async () => {
  await using bench = await gatewayBench();
  const screen = await bench.connect('s1', neutral());
  for (const message of [
    { type: 'user_message', content: 'x' },
    { type: 'tool_call', call_id: 'c', tool_name: 'read_file', args: { path: 'a' } },
    { type: 'hitl_decision', call_id: 'c', decision: 'approve' },
    { type: 'cancel' },
  ]) {
    screen.send(message);
    expect(await screen.next('error')).toMatchObject({ error_code: 'PERMISSION_DENIED' });
  }
  expect((await bench.connect('s1', neutral('&role=viewer'))).received[0]).toMatchObject({ role: 'viewer' });
  const client = await bench.connect('s2', { query: '?role=executor' });
  expect((await bench.connect('s2', neutral())).received[0]).toMatchObject({ role: 'approver' });
  await client.close();
});

test.each(['agent', 'codelab', 'neutral'])(
  '%s: the greeting says where the log stands, to go on from',
  async (dialect) => {
    await using bench = await gatewayBench({ script: scriptedModel([{ text: 'Hello, you.' }]) });
    const first = await bench.connect('s1', { query: `?dialect=${dialect}` });
    const { last_seq: since } = await first.next('session_info');
    const other = await bench.connect('s1');
    other.send({ type: 'user_message', content: 'Hi' });
    await other.next('done');
    await first.close();
    const reconnected = await bench.connect('s1', { query: `?dialect=${dialect}&since=${since}` });
    const last = (message: Record<string, unknown>): boolean => {
      const event = message.event as { seq?: number } | undefined;
      return (message.seq ?? event?.seq) === 4;
    };
    await reconnected.next(['done', 'event'], last);
    expect(reconnected.received[0]).toMatchObject({ type: 'session_info', last_seq: 4 });
  },
);
