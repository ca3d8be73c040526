// The executor of a session is fixed at its start, and its agent sees nothing of the gateway's own files.
import { expect, test } from 'vitest';
import { executor, isOrder, isQuestion } from '../support/executor-pair.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

test('an executor is refused where the gateway has the files, and shown its role elsewhere', async () => {
  await using bench = await gatewayBench();
  await bench.connect('plain');
  await expect(bench.connect('plain', executor())).rejects.toThrow('refused: 400');
  await expect(bench.connect('s1', executor('&dialect=neutral'))).rejects.toThrow('refused: 400');
  await expect(bench.connect('s1', executor('&executor_id=%20'))).rejects.toThrow('refused: 400');
  const fresh = await bench.connect('new_1', executor('&executor_id=me'));
  expect(fresh.received[0]).toMatchObject({ role: 'executor', executor_id: 'me' });
});

test('the agent works where the client is: nothing of the gateway’s files reaches the model', async () => {
  const secret = 'SECRET-OF-THE-GATEWAY';
  const script = scriptedModel([
    { calls: [['read_file', { path: 'a.txt' }]] },
    { calls: [['run_command', { command: 'ls' }]] },
    { calls: [['task', { agent: 'explore', objective: 'x' }]] },
    { text: 'Done.' },
  ]);
  await using bench = await gatewayBench({
    script,
    files: {
      'AGENTS.md': secret,
      'a.txt': secret,
      '.codelab/skills/own/SKILL.md': `---\nname: own\ndescription: ${secret}\n---\n${secret}`,
      '.codelab/agents/own.md': `---\nname: own\ndescription: ${secret}\n---\n${secret}`,
    },
  });
  const executorClient = await bench.connect('s1', executor());
  executorClient.send({ type: 'context_update', action: 'add_file', data: { path: 'a.txt' } });
  expect(await executorClient.next('error')).toMatchObject({ error_code: 'INVALID_ARGUMENTS' });
  executorClient.send({ type: 'switch_agent', agent_type: 'own' });
  await executorClient.next('error');
  executorClient.send({ type: 'user_message', content: 'Look at @a.txt and @AGENTS.md and @skill:own' });
  expect(await executorClient.next('tool_call', isOrder)).toMatchObject({ tool_name: 'read_file' });
  executorClient.send({ type: 'tool_result', call_id: 'call_0_0', result: { content: 'of the client' } });
  await executorClient.next('tool_call', isQuestion).then((message) =>
    executorClient.send({
      type: 'tool_result',
      call_id: message.call_id,
      result: { stdout: 'a.txt', stderr: '', exit_code: 0 },
    }),
  );
  expect(await executorClient.next('done')).toMatchObject({ status: 'completed' });
  const requestText = JSON.stringify(script.requests);
  expect(requestText).toContain('of the client');
  expect(requestText).not.toContain(secret);
  expect(JSON.stringify(executorClient.received)).not.toContain(secret);
  expect(script.requests[0]?.tools.map(({ name }) => name)).toContain('search_in_code');
  expect(bench.faults).toEqual([]);
});
