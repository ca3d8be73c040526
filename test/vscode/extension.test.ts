// biome-ignore-all lint/style/noExcessiveLinesPerFile: a window takes long to open, so that all of it is tested in one.
// The extension as its user has it: the .vsix in a real VS Code, in a real browser, with a gateway of its own and the demo model.
// One window for all: the tests go on where the one before left it.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CodeLabAPI } from '@codelab/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { demoModel } from '../../packages/agent/src/demo/demo-model.ts';
import { installCodeServer } from '../../scripts/install-code-server.ts';
import { noBrowser } from '../support/browser.ts';
import { type EditorBench, type EditorWindow, editorBench } from '../support/editor-bench.ts';
import { type GatewayBench, gatewayBench } from '../support/gateway-bench.ts';

const found = noBrowser === undefined ? installCodeServer() : { missing: noBrowser };
const missing = 'missing' in found ? found.missing : undefined;
const title = missing === undefined ? 'in a real VS Code' : `in a real VS Code, which is skipped: ${missing}`;

const codelab = join(import.meta.dirname, '../..', 'node_modules', '.bin', 'codelab');
const five = Array.from({ length: 50 }, (_, at) => `line ${at + 1}\n`);
const changedAt = [2, 12, 22, 32, 42];

let gateway: GatewayBench;
let editor: EditorBench;
let bench: EditorWindow;
const textOf = (name: string): string => readFileSync(join(bench.root, name), 'utf8');
const approval = () => bench.chat.locator('[data-approval]');
const log = () => bench.chat.getByRole('log');
const call = (tool: string, args: object): string => `call ${tool} ${JSON.stringify(args)}`;
const idle = () => bench.chat.getByRole('button', { name: 'Send', exact: true }).waitFor();

describe.skipIf(missing !== undefined)(title, { timeout: 90_000 }, () => {
  beforeAll(async () => {
    if ('missing' in found) return;
    gateway = await gatewayBench({ isFileless: true, script: demoModel });
    const workspaceSettings = { 'codelab.api.baseUrl': gateway.running.url, 'codelab.approvals.timeout': 6 };
    editor = await editorBench({
      program: found.program,
      files: {
        'work/a.txt': 'one\ntwo\nthree\n',
        'work/five.txt': five.join(''),
        'work/wait.txt': '',
        'other/.vscode/settings.json': JSON.stringify(workspaceSettings),
        'other/wait.txt': '',
      },
      settings: { 'codelab.gateway.command': codelab, 'codelab.gateway.model': 'demo' },
    });
    bench = await editor.open('work');
  }, 180_000);
  afterAll(async () => {
    await editor?.[Symbol.asyncDispose]();
    await gateway?.[Symbol.asyncDispose]();
  }, 30_000);

  test('nothing of it runs before its view is opened', async () => {
    const { page, command } = bench;
    await command('Developer: Show Running Extensions');
    const runtimeExtensions = page
      .getByRole('list', { name: 'Runtime Extensions' })
      .locator('.monaco-list-row');
    await runtimeExtensions.first().waitFor();
    await page.keyboard.press('End');
    expect(await runtimeExtensions.filter({ hasText: 'CodeLab' }).count()).toBe(0);
    await bench.openChat();
    await bench.chat.getByRole('textbox').waitFor();
    await command('Developer: Show Running Extensions');
    await page.keyboard.press('End');
    const report = await runtimeExtensions.filter({ hasText: 'CodeLab' }).first().innerText();
    expect(report).toMatch(/Activation: \d+ms/);
    expect(editor.vsix.bytes).toBeLessThan(3 * 1024 * 1024);
  });

  test('in a workspace that is not trusted it reads, and changes nothing', async () => {
    await bench.say('write b.txt: hello');
    await log().getByText('This workspace is not trusted').last().waitFor();
    expect(await approval().count()).toBe(0);
    expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
    await idle();
    await bench.say('read a.txt');
    await log().getByText('three').last().waitFor();
  });

  test('a turn of the demo model: asked, approved, written through the editor, told', async () => {
    const { page, say } = bench;
    await bench.trust();
    await bench.chat.getByText('is not trusted: the agent').waitFor({ state: 'detached' });
    await idle();
    await say('write b.txt: hello');
    await approval().getByText('Write b.txt').waitFor();
    await page.getByRole('button', { name: /CodeLab: .*wait/ }).waitFor();
    expect(existsSync(join(bench.root, 'b.txt'))).toBe(false);
    await approval().getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => existsSync(join(bench.root, 'b.txt')) && textOf('b.txt')).toBe('hello\n');
    await approval().waitFor({ state: 'detached' });
    await log().getByText('b.txt created').waitFor();
  });

  test('rejected with a reason: nothing is written, and the model is told why', async () => {
    await idle();
    await bench.say('write c.txt: hello');
    await approval().getByRole('button', { name: 'Reject', exact: true }).last().click();
    await approval().getByRole('menuitem', { name: 'Looks risky' }).click();
    await log().getByText('Looks risky').last().waitFor();
    expect(existsSync(join(bench.root, 'c.txt'))).toBe(false);
  });

  test('three of five hunks are applied, and undone with the turn', async () => {
    const content = five.map((line, at) => (changedAt.includes(at) ? `changed ${at}\n` : line)).join('');
    await idle();
    await bench.say(call('write_file', { path: 'five.txt', content }));
    await approval().getByRole('checkbox').nth(4).waitFor();
    await approval().getByRole('button', { name: 'Open diff' }).click();
    await bench.page.locator('.tab', { hasText: 'five.txt (proposed change)' }).waitFor();
    await approval().getByRole('checkbox').nth(1).uncheck();
    await approval().getByRole('checkbox').nth(3).uncheck();
    await approval().getByRole('button', { name: 'Approve 3 of 5' }).click();
    const expected = five.map((line, at) => ([2, 22, 42].includes(at) ? `changed ${at}\n` : line)).join('');
    await expect.poll(() => textOf('five.txt')).toBe(expected);
    await approval().waitFor({ state: 'detached' });
    await bench.page.locator('.tab', { hasText: 'proposed change' }).waitFor({ state: 'detached' });
    await idle();
    await bench.command('CodeLab: Undo Last Turn');
    await expect.poll(() => textOf('five.txt')).toBe(five.join(''));
  });

  test('a text that is not saved is what is read and edited, and the editor undoes the edit', async () => {
    const { page, say } = bench;
    await bench.openFile('a.txt');
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('mine ');
    await idle();
    await say('read a.txt');
    await log().getByText('mine one').last().waitFor();
    await idle();
    await say(call('write_file', { path: 'a.txt', content: 'mine one\nTWO\nthree\n' }));
    await approval().getByRole('button', { name: 'Approve' }).click();
    const lines = page.locator('.editor-instance .view-lines').first();
    // Without `exact`, what was there before has the same letters.
    await lines.getByText('TWO', { exact: true }).waitFor();
    expect(textOf('a.txt')).toBe('one\ntwo\nthree\n');
    await lines.click();
    await page.keyboard.press('Control+Z');
    await lines.getByText('two', { exact: true }).waitFor();
    await lines.getByText('mine one').waitFor();
    await idle();
    await say('read a.txt');
    await idle();
  });

  test('what the user changed since it was shown is not overwritten', async () => {
    const { page, say } = bench;
    await idle();
    await say(call('write_file', { path: 'a.txt', content: 'all new\n' }));
    await approval().getByRole('button', { name: 'Approve' }).waitFor();
    await page.locator('.editor-instance .view-lines').first().click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('four');
    await approval().getByRole('button', { name: 'Approve' }).click();
    await log().getByText('STALE').last().waitFor();
    await page.locator('.editor-instance .view-lines').first().getByText('four').waitFor();
    await page.keyboard.press('Control+S');
    await expect.poll(() => textOf('a.txt')).toContain('four');
  });

  test('a command over its time is ended, with what it started', async () => {
    await idle();
    await bench.say(call('execute_command', { command: 'tail', args: ['-f', 'wait.txt'], timeout: 1500 }));
    await approval().getByText('tail -f wait.txt').waitFor();
    await approval().getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => editor.processes('tail -f wait.txt').length).toBeGreaterThan(0);
    await log().getByText('exceeded its time limit').last().waitFor({ state: 'attached' });
    expect(editor.processes('tail -f wait.txt')).toEqual([]);
  });

  test('a gateway that dies during an approval comes back, and the call runs once', async () => {
    await idle();
    await bench.say('write once.txt: once');
    await approval().getByText('Write once.txt').waitFor();
    const before = editor.processes('serve --no-workspace');
    for (const pid of before) process.kill(pid, 'SIGKILL');
    const isAnother = (): boolean =>
      editor.processes('serve --no-workspace').some((pid) => !before.includes(pid));
    await expect.poll(isAnother, { timeout: 30_000 }).toBe(true);
    await approval().getByText('Write once.txt').waitFor();
    await approval().getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => existsSync(join(bench.root, 'once.txt')), { timeout: 30_000 }).toBe(true);
    await approval().waitFor({ state: 'detached' });
    // A second run would put it there again.
    writeFileSync(join(bench.root, 'once.txt'), 'seen');
    await idle();
    await bench.say('read once.txt');
    await log().getByText('seen').last().waitFor();
  });

  test('what is selected goes with a question about it', async () => {
    await bench.openFile('five.txt');
    await bench.page.locator('.editor-instance .view-lines').first().click();
    await bench.page.keyboard.press('Control+A');
    await bench.command('CodeLab: Explain Selection');
    await log().getByText('Explain the selected code').last().waitFor();
    await log().getByText('selected="1-51"').last().waitFor({ state: 'attached' });
    await idle();
  });

  test('the extension host is killed: its command and its gateway end by themselves', async () => {
    await bench.say(call('execute_command', { command: 'tail', args: ['-f', 'wait.txt'] }));
    await approval().getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => editor.processes('tail -f wait.txt').length).toBeGreaterThan(0);
    const gateways = editor.processes('serve --no-workspace');
    expect(gateways.length).toBeGreaterThan(0);
    for (const pid of editor.processes('--type=extensionHost')) process.kill(pid, 'SIGKILL');
    const remaining = (): number[] => [
      ...editor.processes('tail -f wait.txt'),
      ...editor.processes('serve --no-workspace').filter((pid) => gateways.includes(pid)),
    ];
    await expect.poll(remaining).toEqual([]);
  });

  describe('with a gateway that the settings name', () => {
    let api: CodeLabAPI;
    let sessionId = '';
    beforeAll(async () => {
      api = new CodeLabAPI({ url: gateway.running.url, token: 'secret-token' });
      bench = await editor.open('other');
    }, 90_000);

    test('it asks for the token, keeps it, and connects', async () => {
      await bench.openChat();
      await bench.chat.getByText('is not trusted: the agent').waitFor();
      await bench.trust();
      await bench.chat.getByRole('button', { name: 'Set token' }).click();
      const input = bench.page.locator('.quick-input-widget input[type=password]');
      await input.fill('secret-token');
      await input.press('Enter');
      await expect.poll(async () => (await api.sessions.list()).sessions.length, { timeout: 30_000 }).toBe(1);
      sessionId = (await api.sessions.list()).sessions[0]?.id ?? '';
      await idle();
    });

    test('a question that nobody answers counts down, and ends as not approved', async () => {
      await bench.say('write late.txt: hello');
      await approval().getByRole('timer').waitFor();
      expect(await approval().getByRole('timer').innerText()).toMatch(/closing in \d/i);
      await approval().waitFor({ state: 'detached' });
      await log().getByText('Nobody answered').last().waitFor({ state: 'attached' });
      expect(existsSync(join(bench.root, 'late.txt'))).toBe(false);
    });

    test('a question that comes while the chat is hidden is a notification', async () => {
      await idle();
      await bench.page
        .getByRole('tab', { name: /^Explorer/ })
        .first()
        .click();
      await bench.page.getByRole('treeitem').first().waitFor();
      const { tool_id } = await api.executeTool('write_file', { path: 'n.txt', content: 'x' }, { sessionId });
      const notice = bench.page.locator('.notification-toast', { hasText: 'CodeLab waits for you' });
      await notice.getByRole('button', { name: 'Reject' }).click();
      await expect.poll(async () => (await api.toolStatus(tool_id, sessionId)).status).toBe('rejected');
      await bench.openChat();
    });

    test('the window reloads: what waits is rejected, what runs is ended, and nothing is left', async () => {
      const args = { command: 'tail', args: ['-f', 'wait.txt'] };
      const running = await api.executeTool('execute_command', args, { sessionId });
      await approval().getByRole('button', { name: 'Approve' }).click();
      await expect.poll(() => editor.processes('tail -f wait.txt').length).toBeGreaterThan(0);
      const pending = await api.executeTool('write_file', { path: 'w.txt', content: 'x' }, { sessionId });
      await approval().getByText('Write w.txt').waitFor();
      await bench.command('Developer: Reload Window');
      await expect.poll(() => editor.processes('tail -f wait.txt'), { timeout: 20_000 }).toEqual([]);
      const statusOf = async (id: string) => (await api.toolStatus(id, sessionId)).status;
      await expect.poll(() => statusOf(pending.tool_id)).toBe('rejected');
      await expect.poll(() => statusOf(running.tool_id)).not.toBe('executing');
      expect(existsSync(join(bench.root, 'w.txt'))).toBe(false);
    });

    test('the editor is stopped: no process is left', async () => {
      await editor.stop();
      await expect.poll(() => editor.processes('')).toEqual([]);
    });
  });
});
