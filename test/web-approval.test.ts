// Approvals in the web IDE, in a real browser against a real gateway: every answer one can give, and what it does on the disk.
import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from './support/barriers.ts';
import { noBrowser } from './support/browser.ts';
import { notBuilt, type PageBench, pageBench } from './support/page-bench.ts';
import { scriptedModel } from './support/scripted-model.ts';

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
    const { page, ended } = await asking(web, write('new.txt', 'hello\n'));
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.focus();
    await card(page).waitFor();
    await page.keyboard.type('a thought');
    expect(await field.inputValue()).toBe('a thought');
    expect(await page.title()).toMatch(/^\(1\) /);
    await page.keyboard.press('Alt+a');
    await page.keyboard.press('a');
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    expect(disk('new.txt')).toBe('hello\n');
    await page.getByText('Approved by').first().waitFor();
    expect(await page.title()).not.toMatch(/^\(/);
    await page.close();
  });

  test('tells what it is about: command by parts, reach of a deletion, where a path really leads', async () => {
    const { page, id } = await asking(web, ['run_command', { command: 'ls && rm -f "$X" | sort' }]);
    const command = card(page);
    await command.getByText('only reads').first().waitFor();
    await command.getByText('Some of it is known only when it runs.').first().waitFor();
    await command.getByText('Network', { exact: true }).waitFor();
    await command.getByText('(rule default:execute)').waitFor();
    ask(web, id, ['delete_file', { path: './dir', recursive: true }]);
    const removal = page.locator('[data-approval]', { hasText: 'Delete dir' });
    await removal.getByText('2 files').first().waitFor();
    await removal.getByText('asked for as "./dir"').waitFor();
    expect(await page.title()).toMatch(/^\(2\) /);
    expect(await barriers(page)).toEqual([]);
    await page.close();
  });

  test('is edited in a form and in JSON; what comes of it is what runs', async () => {
    const { page, ended } = await asking(web, write('edited.txt', 'first\r\nsecond\r\n'));
    await card(page).getByRole('button', { name: 'Edit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Edit the call of write_file' });
    const run = dialog.getByRole('button', { name: 'Run the changed call' });
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
    const { page, id, ended } = await asking(web, write('kept.txt', 'other\n'));
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
    const { id } = await asking(web, write('listed.txt', 'x\n'));
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
    const { page, ended } = await asking(web, prompt);
    await card(page).getByRole('button', { name: 'right' }).click();
    expect(JSON.stringify(await ended)).toContain('right');
    await page.close();
  });

  test('two presses in a row never decide the card that moves under the pointer', async () => {
    const { page, id, ended } = await asking(web, write('first.txt', '1\n'));
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

  test('always: shows the rule and its scope, keeps it on the disk, and the next call runs unasked', async () => {
    const { page, id, ended } = await asking(web, write('often.txt', '1\n'));
    await card(page).focus();
    await page.keyboard.press('w');
    const dialog = page.getByRole('dialog', { name: 'From now on…' });
    await dialog.getByText('tool write_file, path ./often.txt').waitFor();
    await dialog.getByText('No earlier call').waitFor();
    await dialog.getByText('write_file on ./often.txt will run without asking, in this session.').waitFor();
    await dialog.getByRole('radio', { name: 'This workspace' }).check();
    await dialog.getByText('will run without asking, in this workspace.').waitFor();
    await dialog.getByRole('button', { name: 'Approve and keep the rule' }).click();
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    const kept = { effect: 'allow', tool: 'write_file', path: ['./often.txt'] };
    const file = JSON.parse(readFileSync(join(web.gateway.home, 'rules.json'), 'utf8')) as Json;
    expect(file).toEqual({
      user: [],
      workspaces: { [realpathSync(web.gateway.root)]: [expect.objectContaining(kept)] },
    });
    const again = await post(web, `/sessions/${id}/calls`, call(write('often.txt', '2\n')));
    expect(again).toMatchObject({ outcome: { status: 'completed' } });
    expect(disk('often.txt')).toBe('2\n');
    await page.close();
  });

  test('always: says why when no rule can be kept', async () => {
    const { page } = await asking(web, ['run_command', { command: 'touch "$SOMEWHERE"' }]);
    await card(page).getByRole('button', { name: 'Always…' }).click();
    await page.getByText('This can’t be remembered').waitFor();
    expect(await page.getByRole('button', { name: 'Approve and keep the rule' }).isDisabled()).toBe(true);
    await page.keyboard.press('Escape');
    await page.locator('[data-approval]:focus').waitFor();
    await page.close();
  });

  test('on a phone the answers are in sight', async () => {
    const { page, ended } = await asking(web, write('phone.txt', 'x\n'.repeat(60)), {
      width: 360,
      height: 740,
    });
    const waiting = page.getByRole('main', { name: 'Waiting' }).getByRole('listitem');
    await waiting.filter({ hasText: 'phone.txt' }).getByRole('button', { name: 'Open' }).click();
    const approve = card(page).getByRole('button', { name: 'Approve' });
    await approve.waitFor();
    const box = await approve.boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(740);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await approve.click();
    expect(await ended).toMatchObject({ outcome: { status: 'completed' } });
    await page.close();
  });
});

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('an approval of a turn', () => {
  test('is rejected with a reason, and the model hears it', async () => {
    const script = scriptedModel([
      { calls: [['write_file', { path: 'a.txt', content: 'x' }]] },
      { text: 'Then I ask first.' },
    ]);
    await using web = await pageBench({ script });
    const page = await web.open();
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('write it');
    await page.keyboard.press('Enter');
    await card(page).waitFor();
    await page.keyboard.press('Alt+a');
    await page.keyboard.press('r');
    await page.getByRole('button', { name: 'Do it another way.' }).waitFor();
    await page.keyboard.type('Ask before you write.');
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('Then I ask first.').waitFor();
    expect(JSON.stringify(script.requests.at(-1)?.messages)).toContain('Ask before you write.');
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('counts down, says so in the end, and closes by itself', async () => {
    await using web = await pageBench({ approvalMs: 5000 });
    const id = await web.session('Asking');
    const page = await web.open({ session: id });
    const { ended } = ask(web, id, ['write_file', { path: 'a.txt', content: 'x' }]);
    await card(page)
      .getByText(/^Closing in \d s$/)
      .waitFor();
    await page.getByText('Nobody answered in time').first().waitFor();
    expect(await card(page).count()).toBe(0);
    expect(await ended).toMatchObject({ outcome: { error: { code: 'APPROVAL_EXPIRED' } } });
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });
});

type Asked = [tool: string, args: Json];

function card(page: Page): Locator {
  return page.locator('[data-approval]');
}

function call([tool, args]: Asked): Json {
  return { tool, args };
}

async function post(web: PageBench, path: string, body: Json): Promise<Json> {
  const answer = await web.gateway.request(`/api/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as Json;
}

/** Makes a call that waits for a human. */
function ask(web: PageBench, id: string, asked: Asked): { ended: Promise<Json> } {
  const ended = post(web, `/sessions/${id}/calls`, call(asked));
  // Some wait until the gateway ends, and nobody listens any more.
  ended.catch(() => undefined);
  return { ended };
}

async function asking(
  web: PageBench,
  asked: Asked,
  viewport = { width: 1280, height: 800 },
): Promise<{ page: Page; id: string; ended: Promise<Json> }> {
  const id = await web.session('Asking');
  const { ended } = ask(web, id, asked);
  return { page: await web.open({ session: id, viewport }), id, ended };
}
