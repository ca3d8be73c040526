// Seed 004: its calls and results, and the decisions of the human.
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Client } from '../../support/gateway-bench.ts';
import { answerTo, ask, pair, withCallId } from '../exchange.ts';
import type { At, Json, SeedCase } from '../seed-case.ts';

const main = { path: '/src/main.dart', content: 'void main() {}' };
// The agent of a gateway that has the files uses the product's own tools, whose paths are relative.
const ownArgs = { ...main, path: 'src/main.dart' };
const write = (call_id: string, args: Json = main): Json => ({
  type: 'tool_call',
  call_id,
  tool_name: 'write_file',
  arguments: args,
  requires_approval: true,
});
const states = (client: Client): unknown[] =>
  client.received.filter(({ type }) => type === 'agent_status').map(({ status }) => status);

/** The document's decision about a call of a peer, or of the agent in a session whose files a client has. */
async function decided(at: At, decision: Json): Promise<Json> {
  const call = write(String(decision.call_id));
  if (at.wire === 'socket') return await answerTo(at, call, { decide: [decision] });
  const { asks, has } = await pair(at, 'agent');
  asks.send(call);
  await has.next('tool_call');
  // In the workflow it is the IDE that has the files and asks its user.
  has.send(decision);
  if (decision.decision !== 'reject') {
    const order = await has.next('tool_call', (message) => message.requires_approval === false);
    expect(order.arguments).toEqual(decision.modified_arguments ?? main);
    has.send({
      type: 'tool_result',
      call_id: decision.call_id,
      result: { success: true, bytes_written: 16 },
    });
  }
  return await asks.next('tool_result', ({ seq }) => seq !== undefined);
}

export const messages004: readonly SeedCase[] = [
  {
    id: '1. Tool Call Request',
    item: '`arguments`, `requires_approval: false`, a leading slash is the workspace',
    on: ['tool', 'socket', 'executor'],
    examples: ['19', '43'],
    async play(at, call = {}, result = {}) {
      at.stage.lay({ 'src/main.dart': 'file content here' });
      expect(await answerTo(at, call, { executed: result })).toMatchObject(result);
    },
  },
  {
    id: '2. Tool Result: error',
    item: 'The error is a text with the path as the caller spelled it',
    on: ['tool', 'socket', 'executor'],
    examples: ['19', '54'],
    async play(at, call = {}, result = {}) {
      expect(await answerTo(at, call, { executed: result })).toMatchObject(result);
    },
  },
  {
    id: 'Tool Execution Error',
    item: 'The error with `error_code` beside it, from a client that has the files',
    on: ['executor'],
    examples: ['352'],
    async play(at, result = {}) {
      const call = withCallId(
        { tool_name: 'read_file', arguments: { path: '/src/missing.dart' } },
        'call_123',
      );
      expect(await answerTo(at, call, { executed: result })).toMatchObject(result);
    },
  },
  {
    id: 'Tool Execution Error: own',
    item: 'The same from the product itself',
    on: ['tool', 'socket'],
    examples: ['352'],
    differs: 'the text is "File not found: …", as in the document\'s section 2; the code is the same',
    async play(at, result = {}) {
      const call = withCallId(
        { tool_name: 'read_file', arguments: { path: '/src/missing.dart' } },
        'call_123',
      );
      expect(await answerTo(at, call)).toEqual({ ...result, error: 'File not found: /src/missing.dart' });
    },
  },
  {
    id: '3. HITL Decision: approve',
    item: 'The call is carried out',
    on: ['socket', 'executor'],
    examples: ['67'],
    async play(at, decision = {}) {
      expect(await decided(at, decision)).toMatchObject({
        call_id: 'call_xyz789',
        result: { success: true },
      });
      if (at.wire === 'socket') expect(at.stage.text('src/main.dart')).toBe(main.content);
    },
  },
  {
    id: '3. HITL Decision: edit',
    item: 'The call is carried out with `modified_arguments`',
    on: ['socket', 'executor'],
    examples: ['76'],
    async play(at, decision = {}) {
      expect(await decided(at, decision)).toMatchObject({ result: { success: true, bytes_written: 16 } });
      if (at.wire === 'socket') expect(at.stage.text('src/modified.dart')).toBe('modified content');
      expect(existsSync(join(at.stage.root, 'src/main.dart'))).toBe(false);
    },
  },
  {
    id: '3. HITL Decision: reject',
    item: 'Nothing happens, and the caller is told the feedback',
    on: ['socket', 'executor'],
    examples: ['89'],
    async play(at, decision = {}) {
      expect(await decided(at, decision)).toMatchObject({
        error: expect.stringContaining(String(decision.feedback)),
        error_code: 'REJECTED',
      });
      expect(existsSync(join(at.stage.root, 'src/main.dart'))).toBe(false);
    },
  },
  {
    id: 'HITL: agent',
    item: 'The agent goes on without the tool after a rejection, and reads the feedback',
    on: ['socket'],
    examples: ['89'],
    async play({ stage }, decision = {}) {
      const model = stage.says([{ calls: [['write_file', ownArgs]] }, { text: 'Then not.' }]);
      const client = await stage.socket('agent');
      client.send({ type: 'user_message', content: 'Write it.' });
      const { call_id } = await client.next('tool_call');
      client.send({ ...decision, call_id });
      await client.next('done');
      expect(JSON.stringify(model.requests[1]?.messages)).toContain('This operation is too risky');
      // The messages report no execution after the rejection.
      const statuses = states(client);
      expect(statuses.slice(statuses.indexOf('waiting_approval'))).not.toContain('executing_tool');
      await client.close();
    },
  },
  {
    id: 'HITL: once',
    item: 'A second decision changes nothing',
    on: ['socket'],
    examples: ['67', '89'],
    async play({ stage }, approve = {}, reject = {}) {
      const client = await stage.socket('agent');
      await ask(client, write('call_xyz789'), [approve]);
      client.send(reject);
      expect(await client.next('error')).toMatchObject({ call_id: 'call_xyz789' });
      expect(stage.text('src/main.dart')).toBe(main.content);
      await client.close();
    },
  },
  {
    id: 'HITL: after a restart',
    item: "A peer's call and a turn wait in one session; the gateway is started again; both decisions are carried out",
    on: ['socket'],
    examples: ['67'],
    async play({ stage }, approve = {}) {
      stage.says([{ calls: [['write_file', { path: 'b.txt', content: 'b' }]] }, { text: 'Done.' }]);
      const session = stage.newSession();
      const before = await stage.socket('agent', { session });
      before.send(write('call_xyz789'));
      await before.next('tool_call');
      before.send({ type: 'user_message', content: 'Write b.txt' });
      const { call_id } = await before.next('tool_call');
      await stage.gateway.restart();
      const client = await stage.socket('agent', { session });
      for (const id of ['call_xyz789', call_id]) client.send({ ...approve, call_id: id });
      for (const id of ['call_xyz789', call_id])
        await client.next('tool_result', (message) => message.call_id === id && message.seq !== undefined);
      await client.next('done');
      expect([stage.text('src/main.dart'), stage.text('b.txt')]).toEqual([main.content, 'b']);
      await client.close();
    },
  },
  {
    id: 'HITL: approve and result',
    item: 'A client may send its result in the same breath as its own `approve`',
    on: ['executor'],
    examples: ['67'],
    async play(at, approve = {}) {
      const { asks, has } = await pair(at, 'agent');
      asks.send(write('call_xyz789'));
      await has.next('tool_call');
      has.send(approve);
      has.send({ type: 'tool_result', call_id: 'call_xyz789', result: { success: true, bytes_written: 14 } });
      expect(await asks.next('tool_result')).toMatchObject({ result: { success: true, bytes_written: 14 } });
      expect(has.received.filter(({ type }) => type === 'error')).toEqual([]);
    },
  },
  {
    id: 'HITL: stale',
    item: 'A file that changed since the question is asked about again, with what would happen now',
    on: ['socket'],
    examples: ['67'],
    async play({ stage }, approve = {}) {
      stage.lay({ 'a.txt': 'one\n' });
      const client = await stage.socket('agent');
      const args = { path: '/a.txt', old_string: 'one', new_string: 'two' };
      client.send({ ...write('call_xyz789', args), tool_name: 'edit_file' });
      await client.next('tool_call');
      writeFileSync(join(stage.root, 'a.txt'), 'zero\none\n');
      client.send(approve);
      const secondMessage = await client.next('tool_call', (message) => message.requires_approval === true);
      expect(JSON.stringify(secondMessage.plan)).toContain('zero');
      expect(stage.text('a.txt')).toBe('zero\none\n');
      client.send(approve);
      await client.next('tool_result');
      expect(stage.text('a.txt')).toBe('zero\ntwo\n');
      await client.close();
    },
  },
];
