// `codelab connect` with a human at a real terminal (tmux): asked with the diff of the files here, before anything happens.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codelabProgram } from './support/codelab-program.ts';
import { gatewayBench } from './support/gateway-bench.ts';
import { scratchFolder } from './support/scratch-folder.ts';
import { scriptedModel } from './support/scripted-model.ts';
import { hasTmux, openTerminal } from './support/terminal.ts';

const editing = () =>
  scriptedModel([
    { calls: [['edit_file', { path: 'a.txt', old_string: 'one', new_string: 'two' }]] },
    { text: 'Done.' },
  ]);

async function atTerminal() {
  const here = scratchFolder({ files: { 'a.txt': 'one\n' } });
  const bench = await gatewayBench({ script: editing() });
  const terminal = openTerminal(here.folder, 110, 40);
  const line = `cd '${here.root}' && '${process.execPath}' '${codelabProgram}' connect ${bench.running.url} --session s1; sleep 60`;
  terminal.run(line, {
    CODELAB_HOME: here.home,
    CODELAB_TOKEN: 'secret-token',
    PATH: process.env.PATH ?? '',
  });
  await terminal.see('Connected');
  const human = await bench.connect('s1', { query: '?role=approver' });
  human.send({ type: 'user_message', content: 'Edit it.' });
  return {
    terminal,
    human,
    text: () => readFileSync(join(here.root, 'a.txt'), 'utf8'),
    async [Symbol.asyncDispose]() {
      terminal[Symbol.dispose]();
      await bench[Symbol.asyncDispose]();
      here[Symbol.dispose]();
    },
  };
}

const isDecided = (one: Record<string, unknown>): boolean =>
  (one.metadata as { state?: string } | undefined)?.state === 'decided';

describe.runIf(hasTmux)('at a terminal', { timeout: 90_000 }, () => {
  test('the human here sees the diff and approves; the gateway hears of it, and then it is done', async () => {
    await using at = await atTerminal();
    const { terminal, human } = at;
    const screen = await terminal.see('Approve');
    for (const part of ['edit_file', '1 − one', '1 + two']) expect(screen).toContain(part);
    terminal.press('a');
    await terminal.see('❯ a  Approve');
    terminal.press('Enter');
    expect(await human.next('status', isDecided)).toMatchObject({ metadata: { decision: 'approve' } });
    expect(await human.next('done')).toMatchObject({ status: 'completed' });
    expect(at.text()).toBe('two\n');
    await terminal.see('completed in');
  });

  test('somebody at the gateway says no: the question here closes and nothing is done', async () => {
    await using at = await atTerminal();
    const { terminal, human } = at;
    const { call_id } = await human.next('tool_call', (one) => one.requires_approval === true);
    await terminal.see('Approve');
    human.send({ type: 'hitl_decision', call_id, decision: 'reject', feedback: 'Not now.' });
    await human.next('done');
    await terminal.see('CANCELLED');
    expect(at.text()).toBe('one\n');
  });
});
