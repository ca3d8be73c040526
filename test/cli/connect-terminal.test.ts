// `codelab connect` with a human at a real terminal (tmux): asked with the diff of the files here, before anything happens.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { changed, hunkOf, lines, textOf } from '../support/forty-lines.ts';
import { gatewayBench } from '../support/gateway-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { hasTmux, openTerminal, type Terminal } from '../support/terminal.ts';

type Json = Record<string, unknown>;
type Given = { tool: string; args: Json; text: string };

const edit: Given = {
  tool: 'edit_file',
  args: { path: 'a.txt', old_string: 'one', new_string: 'two' },
  text: 'one\n',
};

async function atTerminal({ tool, args, text }: Given = edit) {
  const localFolder = scratchFolder({ files: { 'a.txt': text } });
  const script = scriptedModel([{ calls: [[tool, args]] }, { text: 'Done.' }]);
  const bench = await gatewayBench({ script });
  const terminal = openTerminal(localFolder.folder, 110, 40);
  const line = `cd '${localFolder.root}' && '${process.execPath}' '${codelabProgram}' connect ${bench.running.url} --session s1; sleep 60`;
  terminal.run(line, {
    CODELAB_HOME: localFolder.home,
    CODELAB_TOKEN: 'secret-token',
    PATH: process.env.PATH ?? '',
  });
  await terminal.see('Connected');
  const human = await bench.connect('s1', { query: '?role=approver' });
  human.send({ type: 'user_message', content: 'Edit it.' });
  return {
    terminal,
    human,
    text: () => readFileSync(join(localFolder.root, 'a.txt'), 'utf8'),
    async [Symbol.asyncDispose]() {
      terminal[Symbol.dispose]();
      await bench[Symbol.asyncDispose]();
      localFolder[Symbol.dispose]();
    },
  };
}

const isDecided = (message: Json): boolean =>
  (message.metadata as { state?: string } | undefined)?.state === 'decided';

describe.runIf(hasTmux)('at a terminal', { timeout: 90_000 }, () => {
  test('the human here sees the diff and approves; the gateway hears of it, and then it is done', async () => {
    await using at = await atTerminal();
    const { terminal, human } = at;
    const screen = await terminal.see('y yes');
    for (const part of ['Edit a.txt', '1 − one', '1 + two']) expect(screen).toContain(part);
    terminal.press('y');
    expect(await human.next('status', isDecided)).toMatchObject({ metadata: { decision: 'approve' } });
    expect(await human.next('done')).toMatchObject({ status: 'completed' });
    expect(at.text()).toBe('two\n');
    await terminal.see('completed in');
  });

  test('somebody at the gateway says no: the question here closes and nothing is done', async () => {
    await using at = await atTerminal();
    const { terminal, human } = at;
    const { call_id } = await human.next('tool_call', (message) => message.requires_approval === true);
    await terminal.see('y yes');
    human.send({ type: 'hitl_decision', call_id, decision: 'reject', feedback: 'Not now.' });
    await human.next('done');
    await terminal.see('CANCELLED');
    expect(at.text()).toBe('one\n');
  });

  test('of the hunks that are taken here the gateway hears as an edit', async () => {
    await using at = await atTerminal({
      tool: 'write_file',
      args: { path: 'a.txt', content: textOf(changed) },
      text: textOf(lines),
    });
    await chooseHunks(at.terminal, ['s', 'n', 'y', 'y', 'n']);
    expect(await at.human.next('status', isDecided)).toMatchObject({ metadata: { decision: 'edit' } });
    expect(await at.human.next('done')).toMatchObject({ status: 'completed' });
    expect(at.text()).toBe(textOf(lines.with(4, 'two').with(19, 'three')));
  });

  test('a question of the agent is asked here, and answered', async () => {
    const args = { message: 'Shall I go on?', actions: ['go on', 'stop'] };
    await using at = await atTerminal({ tool: 'prompt_user', args, text: '' });
    const screen = await at.terminal.see('Decline');
    expect(screen).toContain('Shall I go on?');
    at.terminal.press('2', 'Enter');
    const result = await at.human.next('tool_result');
    expect(result).toMatchObject({ result: { action: 'stop' } });
    expect(await at.human.next('done')).toMatchObject({ status: 'completed' });
  });

  test('the review of a diff is planned with the files here, and its chosen part is the answer', async () => {
    const diff = `--- a/a.txt\n+++ b/a.txt\n${hunkOf(1, 8)}${hunkOf(17, 23)}${hunkOf(33, 39)}`;
    await using at = await atTerminal({ tool: 'apply_patch_review', args: { diff }, text: textOf(lines) });
    await chooseHunks(at.terminal, ['s', 'y', 'n', 'n', 'y']);
    const { result } = (await at.human.next('tool_result')) as { result: Json };
    expect(result).toMatchObject({ action: 'apply', chunks_selected: [1, 3], chunks_total: 3 });
    expect(String(result.filtered_diff).match(/^[-+][^-+].*/gm)).toEqual([
      '-line 2',
      '+one',
      '-line 36',
      '+four',
    ]);
    expect(at.text()).toBe(textOf(lines));
  });

  test('a diff that does not fit the files here is refused, with the reason', async () => {
    const diff = `--- a/a.txt\n+++ b/a.txt\n${hunkOf(1, 8)}`;
    await using at = await atTerminal({ tool: 'apply_patch_review', args: { diff }, text: 'another\n' });
    expect(await at.human.next('tool_result')).toMatchObject({
      error: expect.stringContaining('PATCH_APPLY_FAILED'),
    });
  });
});

/** The keys of the review, one hunk after the other, and the yes at its end. */
async function chooseHunks(terminal: Terminal, keys: readonly string[]): Promise<void> {
  await terminal.until('the menu', () => {
    const screen = terminal.screen();
    if (screen.includes('next page')) terminal.press('e');
    return /h +hunks/i.test(screen) ? screen : undefined;
  });
  terminal.press('C-u', 'h', 'Enter');
  let count = 3;
  let at = 1;
  for (const key of keys) {
    await terminal.see(`(${at}/${count}) Take this hunk`);
    terminal.press(key);
    if (key === 's') count++;
    else at++;
  }
  await terminal.see('y  Yes');
  terminal.press('y', 'Enter');
}
