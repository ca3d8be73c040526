// Seed 000: commands and lasting processes, and the parts that the document divides the system into.
import { expect } from 'vitest';
import { gatewayBench } from '../../support/gateway-bench.ts';
import { json, modelServer } from '../../support/model-server.ts';
import { answerTo, ask, codeOf, pair, withCallId } from '../exchange.ts';
import type { Json, SeedCase } from '../seed-case.ts';

const dev = JSON.stringify({ scripts: { dev: 'echo listening && sleep 600' } });

export const commands000: readonly SeedCase[] = [
  {
    id: 'run_command',
    item: 'The request is always asked about, then run in its folder',
    on: ['tool', 'socket', 'executor'],
    examples: ['353'],
    async play(at, call = {}) {
      at.stage.lay({ 'package.json': '{"private":true}' });
      const executed = { result: { stdout: 'up to date', stderr: '', exit_code: 0 } };
      expect(await answerTo(at, call, { executed })).toMatchObject({
        result: { stdout: expect.stringContaining('up to date'), exit_code: 0 },
      });
      if (at.wire !== 'socket') return;
      const client = await at.stage.socket('codelab');
      client.send(withCallId(call));
      expect(await client.next('tool_call')).toMatchObject({ requires_approval: true });
      await client.close();
    },
  },
  {
    id: 'run_persistent, kill_process',
    item: 'A process runs on under its `process_id` until it is killed',
    on: ['socket'],
    examples: ['371', '385'],
    async play({ stage }, start = {}, kill = {}) {
      stage.lay({ 'package.json': dev });
      const client = await stage.socket('codelab');
      expect(await ask(client, withCallId(start, 'c1'))).toMatchObject({
        result: { process_id: 'dev_server', status: 'running', pid: expect.any(Number) },
      });
      expect(codeOf(await ask(client, withCallId(start, 'c2')))).toBeDefined();
      expect(await ask(client, withCallId(kill, 'c3'))).toMatchObject({
        result: { process_id: 'dev_server', killed: true },
      });
      expect(
        codeOf(await ask(client, withCallId({ ...kill, args: { process_id: 'nobody' } }, 'c4'))),
      ).toBeDefined();
      await client.close();
    },
  },
  {
    id: 'run_persistent, kill_process: executor',
    item: 'Both requests reach the client that has the files',
    on: ['executor'],
    examples: ['371', '385'],
    async play(at, start = {}, kill = {}) {
      const running = { process_id: 'dev_server', pid: 7, status: 'running', ready: true };
      expect(await answerTo(at, start, { executed: { result: running } })).toMatchObject({ result: running });
      const killed = { process_id: 'dev_server', killed: true, exit_code: 143, signal: 'SIGTERM' };
      expect(await answerTo(at, kill, { executed: { result: killed } })).toMatchObject({ result: killed });
    },
  },
  {
    id: 'run_persistent: one-shot',
    item: 'The request, given to the one-shot command',
    on: ['tool'],
    examples: ['371'],
    differs: 'the process ends with the command that started it, and the answer says so',
    async play(at, start = {}) {
      at.stage.lay({ 'package.json': dev });
      const answer = JSON.stringify(await answerTo(at, start));
      expect(answer).not.toContain('"status":"running"');
      expect(answer).toContain('ends with');
    },
  },
  {
    id: 'compatibility',
    item: "The gateway routes, the agent calls, the IDE executes, the model's proxy passes the tools on",
    on: ['executor', 'proxy'],
    examples: ['24', '36'],
    async play(at, call = {}, result = {}) {
      if (at.wire === 'proxy') return await throughProxy();
      const model = at.stage.says([{ calls: [['read_file', call.args as Json]] }, { text: 'Read.' }]);
      const { asks, has } = await pair(at, 'codelab');
      asks.send({ type: 'user_message', content: 'Read src/auth.js' });
      const order = await has.next('tool_call');
      expect(order).toMatchObject({ tool_name: 'read_file', args: call.args });
      has.send({ ...result, call_id: order.call_id });
      await asks.next('done');
      expect(JSON.stringify(model.requests[1]?.messages)).toContain('// File content here...');
      expect(model.requests[0]?.tools.map(({ name }) => name)).toContain('git.diff');
    },
  },
];

async function throughProxy(): Promise<void> {
  const answer = {
    choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  };
  await using upstream = await modelServer([json(answer)]);
  const env = { OPENAI_BASE_URL: upstream.url, OPENAI_API_KEY: 'none', CODELAB_MODEL: 'openai/test' };
  await using gateway = await gatewayBench({ env });
  const tools = [{ type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } }];
  const messages = [{ role: 'user', content: 'Hello' }];
  const response = await gateway.request('/v1/chat/completions', {
    method: 'POST',
    body: JSON.stringify({ model: 'openai/test', messages, tools }),
  });
  expect(response.status).toBe(200);
  expect(upstream.requests[0]?.body).toMatchObject({ tools });
}
