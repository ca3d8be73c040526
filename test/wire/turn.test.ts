// Seed 004’s two programs, as an editor runs them: it answers the agent’s calls with files that only it has, and asks its own user.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

type Json = Record<string, unknown>;
type Said = { type: string; tool_name?: string; call_id?: string; requires_approval?: boolean } & Json;

/** The editor’s own files. */
type Editor = { files: Record<string, string>; heard: Said[]; socket: WebSocket; done: Promise<void> };

/** Seed 004’s handler: what may run is run and answered; what asks is shown to the user. */
function editor(bench: GatewayBench, files: Record<string, string>, decide: (msg: Said) => string): Editor {
  const url = `${bench.running.url.replace('http', 'ws')}/ws/s1?role=executor`;
  const socket = new WebSocket(url, { headers: { authorization: 'Bearer secret-token' } });
  const { promise: finished, resolve } = Promise.withResolvers<void>();
  const received: Said[] = [];
  socket.onmessage = (event) => {
    const msg = JSON.parse(String(event.data)) as Said;
    received.push(msg);
    if (msg.type === 'done') resolve();
    if (msg.type !== 'tool_call') return;
    if (msg.requires_approval) {
      const decision = decide(msg);
      const feedback = decision === 'reject' ? { feedback: 'User rejected the operation' } : {};
      socket.send(JSON.stringify({ type: 'hitl_decision', call_id: msg.call_id, decision, ...feedback }));
      return;
    }
    const args = msg.arguments as { path: string; content: string };
    if (msg.tool_name === 'write_file') files[args.path] = args.content;
    const result =
      msg.tool_name === 'write_file'
        ? { success: true, bytes_written: args.content.length }
        : { content: files[args.path] };
    socket.send(JSON.stringify({ type: 'tool_result', call_id: msg.call_id, result }));
  };
  return { files, heard: received, socket, done: finished };
}

test('example 1: the agent reads a file of the editor', async () => {
  const script = scriptedModel([{ calls: [['read_file', { path: 'main.dart' }]] }, { text: 'It is empty.' }]);
  await using bench = await gatewayBench({ script, files: { 'main.dart': 'the gateway’s own' } });
  const ide = editor(bench, { '/main.dart': 'void main() {}' }, () => 'reject');
  await new Promise((resolve) => ide.socket.once('open', resolve));
  ide.socket.send(JSON.stringify({ type: 'user_message', content: 'Проанализируй main.dart' }));
  await ide.done;
  expect(script.requests.at(-1)?.messages.at(-1)).toMatchObject({
    role: 'tool',
    text: '1\tvoid main() {}\n[1 line]',
  });
  expect(ide.heard).toContainEqual(expect.objectContaining({ content: 'It is empty.', is_final: true }));
  ide.socket.close();
  expect(bench.faults).toEqual([]);
});

test.each([
  ['approve', 'new\n'],
  ['reject', undefined],
])('example 2: the editor’s user says %s', async (decision, content) => {
  const script = scriptedModel([
    { calls: [['write_file', { path: 'a.txt', content: 'new\n' }]] },
    { text: 'Done.' },
  ]);
  await using bench = await gatewayBench({ script });
  const ide = editor(bench, {}, () => decision);
  await new Promise((resolve) => ide.socket.once('open', resolve));
  const watching = await bench.connect('s1', { query: '?role=viewer' });
  await watching.next('agent_status');
  ide.socket.send(JSON.stringify({ type: 'user_message', content: 'Write it.' }));
  await ide.done;
  expect(ide.files['/a.txt']).toBe(content);
  expect(existsSync(join(bench.root, 'a.txt'))).toBe(false);
  const result = await watching.next('tool_result');
  if (content === undefined) expect(result).toMatchObject({ error_code: 'REJECTED' });
  else expect(result).toMatchObject({ result: { success: true, bytes_written: 4 } });
  const toldModel = JSON.stringify(script.requests.at(-1)?.messages.at(-1));
  if (content === undefined) expect(toldModel).toContain('User rejected the operation');
  // Approved and executed are two things: each was told, and the order came once.
  const orders = ide.heard.filter(
    ({ type, requires_approval }) => type === 'tool_call' && requires_approval === false,
  );
  expect(orders).toHaveLength(content === undefined ? 0 : 1);
  ide.socket.close();
  expect(bench.faults).toEqual([]);
});
