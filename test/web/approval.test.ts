// Approvals in the web IDE, in a real browser against a real gateway: every answer one can give, and what it does on the disk.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Asked,
  ask,
  callOf,
  card,
  occurrences,
  openWithApproval,
  post,
  ready,
} from '../support/approval-page.ts';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';

type Json = Record<string, unknown>;

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('an approval', () => {
  let web: PageBench;
  beforeAll(async () => {
    web = await pageBench({ files: { 'kept.txt': 'as it was\n', 'dir/a.txt': 'a', 'dir/b.txt': 'b' } });
  });
  afterAll(() => web[Symbol.asyncDispose]());
  afterEach(() => expect([web.problems.splice(0), web.gateway.faults.splice(0)]).toEqual([[], []]));

  const disk = (path: string): string => readFileSync(join(web.gateway.root, path), 'utf8');
  const write = (path: string, content: string): [string, Json] => ['write_file', { path, content }];

  test('is approved with one key, once it was gone to; nothing takes the focus before', async () => {
    const { page, ended } = await openWithApproval(web, write('new.txt', 'hello\n'));
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.focus();
    await card(page).waitFor();
    await page.keyboard.type('a thought');
    expect(await field.inputValue()).toBe('a thought');
    expect(await page.title()).toMatch(/^\(1\) /);
    await page.keyboard.press('Alt+a');
    await ready(page);
    await page.keyboard.press('a');
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    expect(disk('new.txt')).toBe('hello\n');
    await page.getByText('Approved by').first().waitFor();
    expect(await page.title()).not.toMatch(/^\(/);
    await page.close();
  });

  test('says each thing once: the command with what may change something, why, and the rest on demand', async () => {
    const { page, id } = await openWithApproval(web, ['run_command', { command: 'ls && rm -f "$X" | sort' }]);
    const command = card(page);
    await command.getByText('Only read: ls, sort').waitFor();
    const reason = 'It is unknown before the run which file "$X" is, and it would be changed.';
    expect(occurrences(await command.innerText(), reason)).toBe(1);
    expect(occurrences(await command.innerText(), 'ls && rm -f "$X" | sort')).toBe(1);
    expect(await command.getByText('default:execute').count()).toBe(0);
    await command.focus();
    await page.keyboard.press('d');
    await command.getByText('default:execute').waitFor();
    await command.getByText('Parts of it are only known when it runs.').first().waitFor();
    await command.getByText('Network', { exact: true }).waitFor();
    ask(web, id, ['delete_file', { path: './dir', recursive: true }]);
    const removal = page.locator('[data-approval]', { hasText: 'Delete dir' });
    await removal.getByText('with 2 files').waitFor();
    expect(await removal.getByText('requested as').count()).toBe(0);
    await removal.getByRole('button', { name: 'Details' }).click();
    await removal.getByText('requested as "./dir"').waitFor();
    expect(await page.title()).toMatch(/^\(2\) /);
    expect(await barriers(page)).toEqual([]);
    await page.close();
  });

  test('is decided by no key after a reload until it was gone to and could be seen', async () => {
    const { page, ended } = await openWithApproval(web, write('stray.txt', 'x\n'));
    await card(page).waitFor();
    await page.reload();
    for (const key of ['a', 'y', 'Enter', 'Control+Enter', 'Space']) await page.keyboard.press(key);
    await card(page).waitFor();
    for (const key of ['a', 'y', 'Enter', 'Control+Enter', 'Space']) await page.keyboard.press(key);
    await ready(page);
    for (const key of ['a', 'y', 'Enter', 'Control+Enter', 'Space']) await page.keyboard.press(key);
    expect(existsSync(join(web.gateway.root, 'stray.txt'))).toBe(false);
    // A key at the moment in which the card comes into sight is not meant for it.
    await page.evaluate(`document.querySelector('[data-approval]').hidden = true`);
    await page.locator('[data-approval] button[aria-disabled="true"]').first().waitFor({ state: 'attached' });
    await page.evaluate(`(() => {
      const shown = document.querySelector('[data-approval]');
      shown.hidden = false;
      shown.focus();
      shown.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', code: 'KeyA', bubbles: true }));
    })()`);
    await page.locator('[data-approval]:focus').waitFor();
    await ready(page);
    expect(existsSync(join(web.gateway.root, 'stray.txt'))).toBe(false);
    await page.keyboard.press('y');
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    await page.close();
  });

  test('is edited in a form and in JSON; what comes of it is what runs', async () => {
    const { page, ended } = await openWithApproval(web, write('edited.txt', 'first\r\nsecond\r\n'));
    await card(page).getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the call of write_file' });
    const run = dialog.getByRole('button', { name: 'Run the edited call' });
    expect(await run.isDisabled()).toBe(true);
    await dialog.getByLabel('content').fill('first\nchanged\n');
    await dialog.getByRole('tab', { name: 'JSON' }).click();
    const json = dialog.getByRole('textbox', { name: 'Arguments as JSON' });
    const args = JSON.parse(await json.inputValue()) as Json;
    expect(args).toMatchObject({ path: 'edited.txt', content: 'first\r\nchanged\r\n' });
    await json.fill('{"path": ');
    await dialog.getByRole('alert').waitFor();
    expect(await run.isDisabled()).toBe(true);
    await json.fill(JSON.stringify({ ...args, path: 'elsewhere.txt' }));
    await run.click();
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    expect(disk('elsewhere.txt')).toBe('first\r\nchanged\r\n');
    await page.close();
  });

  test('decided elsewhere closes the card and says by whom', async () => {
    const { page, id, ended } = await openWithApproval(web, write('kept.txt', 'other\n'));
    await card(page).waitFor();
    const approval_id = await card(page).getAttribute('data-approval');
    await post(web, `/sessions/${id}/decisions`, {
      approval_id,
      decision: { kind: 'reject', feedback: 'not today' },
    });
    await page.getByText('Rejected by').first().waitFor();
    await page.getByText('“not today”').waitFor();
    expect(await card(page).count()).toBe(0);
    expect(await ended).toMatchObject({ outcome: { error: { code: 'REJECTED' } } });
    expect(disk('kept.txt')).toBe('as it was\n');
    await page.close();
  });

  test('is listed with those of other sessions, and one leads to it', async () => {
    const { id } = await openWithApproval(web, write('listed.txt', 'x\n'));
    const page = await web.open({ session: await web.session('Another') });
    await page.getByRole('button', { name: 'Waiting' }).click();
    const line = page.getByRole('listitem').filter({ hasText: 'listed.txt' });
    await line.getByText('In another session').waitFor();
    await line.getByRole('button', { name: 'Open' }).click();
    await page.locator('[data-approval]:focus').waitFor();
    expect(page.url()).toContain(id);
    await card(page).getByText('listed.txt').first().waitFor();
    await page.close();
  });

  test('a question has its answers as buttons', async () => {
    const prompt: Asked = ['prompt_user', { message: 'Which one?', actions: ['left', 'right'] }];
    const { page, ended } = await openWithApproval(web, prompt);
    await card(page).getByRole('button', { name: 'right' }).click();
    expect(JSON.stringify(await ended)).toContain('right');
    await page.close();
  });

  test('two presses in a row never decide the card that moves under the pointer', async () => {
    const { page, id, ended } = await openWithApproval(web, write('first.txt', '1\n'));
    await card(page).waitFor();
    ask(web, id, write('second.txt', '2\n'));
    await card(page).nth(1).waitFor();
    await card(page).first().getByRole('button', { name: 'Approve' }).dblclick();
    await ended;
    await page.getByText('Approved by').first().waitFor();
    expect(await card(page).count()).toBe(1);
    expect(existsSync(join(web.gateway.root, 'second.txt'))).toBe(false);
    await page.close();
  });

  test('always: shows how far each rule reaches, keeps one with one key, and the next call runs unasked', async () => {
    const { page, id, ended } = await openWithApproval(web, write('often/a.txt', '1\n'));
    await card(page).focus();
    await page.keyboard.press('w');
    const dialog = page.getByRole('dialog', { name: 'From now on…' });
    const rows = dialog.getByRole('list', { name: 'What the rule covers' }).locator(':scope > li');
    await rows.first().getByText('often/a.txt').waitFor();
    await rows.nth(1).getByText('often/**').waitFor();
    await rows.nth(2).getByText('All edits in this workspace').waitFor();
    await rows.first().getByText('any earlier call').click();
    await rows.first().getByText('"effect": "allow"').waitFor();
    await dialog.getByRole('radio', { name: 'This workspace' }).check();
    expect(await barriers(page, { within: 'dialog' })).toEqual([]);
    await rows.nth(1).focus();
    await page.keyboard.press('2');
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    const file = JSON.parse(readFileSync(join(web.gateway.home, 'rules.json'), 'utf8')) as Json;
    expect(file).toEqual({
      user: [],
      workspaces: {
        [realpathSync(web.gateway.root)]: [expect.objectContaining({ effect: 'allow', path: ['often/**'] })],
      },
    });
    const second = await post(web, `/sessions/${id}/calls`, callOf(write('often/b.txt', '2\n')));
    expect(second).toMatchObject({ outcome: { status: 'completed' } });
    expect(disk('often/b.txt')).toBe('2\n');
    // The next question counts what the rule would have allowed.
    ask(web, id, write('other.txt', '3\n'));
    await card(page).filter({ hasText: 'other.txt' }).getByRole('button', { name: 'Always…' }).click();
    await rows
      .nth(2)
      .getByText(/Would have allowed \d+ earlier calls/)
      .waitFor();
    await page.close();
  });

  test('always: says why when no rule can be kept', async () => {
    const { page } = await openWithApproval(web, ['run_command', { command: 'touch "$SOMEWHERE"' }]);
    await card(page).getByRole('button', { name: 'Always…' }).click();
    await page.getByText('This can’t be remembered').waitFor();
    expect(await page.getByRole('button', { name: 'Approve and remember' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await page.locator('[data-approval]:focus').waitFor();
    await page.close();
  });

  test('on a phone the answers are in sight', async () => {
    const { page, ended } = await openWithApproval(web, write('phone.txt', 'x\n'.repeat(60)), {
      width: 360,
      height: 740,
    });
    const waitingList = page.getByRole('main', { name: 'Waiting' }).getByRole('listitem');
    await waitingList.filter({ hasText: 'phone.txt' }).getByRole('button', { name: 'Open' }).click();
    const approve = card(page).getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    const box = await approve.boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(740);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await approve.click();
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    await page.close();
  });

  test('on a phone the message field ends above the bar, also while somebody types', async () => {
    const { page } = await openWithApproval(web, write('typed.txt', 'x\n'.repeat(60)), {
      width: 360,
      height: 740,
    });
    const waitingList = page.getByRole('main', { name: 'Waiting' }).getByRole('listitem');
    await waitingList.filter({ hasText: 'typed.txt' }).getByRole('button', { name: 'Open' }).click();
    await card(page).first().waitFor();
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Use another name, please.');
    const pickers = await page.getByRole('button', { name: /^Mode: / }).boundingBox();
    const bar = await page.getByRole('navigation', { name: 'Places' }).boundingBox();
    expect((pickers?.y ?? 999) + (pickers?.height ?? 0)).toBeLessThan(bar?.y ?? 0);
    await page.close();
  });
});
