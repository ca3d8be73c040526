// Questions of a running turn in the web IDE: how one answers them, what the model hears of it, and who is told that they wait.
import { existsSync, readdirSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ask, card, occurrences, ready } from '../support/approval-page.ts';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { noSandbox } from '../support/sandbox-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

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

  test('is answered at the composer: no with what is typed, yes with a word or one chord', async () => {
    const script = scriptedModel((_request, step) =>
      step < 4
        ? { calls: [['write_file', { path: `${step}.txt`, content: 'x' }]] }
        : { calls: [['prompt_user', { message: 'Which one?', actions: ['left', 'right'] }]] },
    );
    await using web = await pageBench({ script });
    const page = await web.open();
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    const cardShown = async (text: string): Promise<void> => {
      await card(page).filter({ hasText: text }).waitFor();
      await ready(page);
    };
    await field.fill('write it');
    await page.keyboard.press('Enter');
    await cardShown('0.txt');
    await page.keyboard.type('no, use a table instead');
    await page.getByText('Enter rejects with this reason.').waitFor();
    await page.keyboard.press('Enter');
    // Text typed meanwhile is not lost while the answer is being sent.
    await page.keyboard.type('yes');
    await cardShown('1.txt');
    expect(await field.inputValue()).toBe('yes');
    expect(JSON.stringify(script.requests.at(-1)?.messages)).toContain('no, use a table instead');
    // The text was not typed for this question, so it is no answer until it is edited.
    await page.getByText('Enter sends it as a message').waitFor();
    await page.keyboard.type('.');
    await page.getByText('Enter approves.').waitFor();
    await page.keyboard.press('Enter');
    await cardShown('2.txt');
    expect(readdirSync(web.gateway.root)).toEqual(['1.txt']);
    await page.keyboard.press('Control+Enter');
    await cardShown('3.txt');
    await page.keyboard.press('Enter');
    expect(await card(page).count()).toBe(1);
    await page.keyboard.type('/stop');
    await page.keyboard.press('Enter');
    await page.getByText(/^Stopped/).waitFor();
    expect(readdirSync(web.gateway.root)).toEqual(['1.txt', '2.txt']);
    await field.fill('ask me');
    await page.keyboard.press('Enter');
    await cardShown('Which one?');
    await page.keyboard.type('Right');
    await page.getByText('Enter answers “right”.').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => JSON.stringify(script.requests.at(-1)?.messages)).toContain('right');
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('is one question with the other calls of its reply: all, one by one, or none', async () => {
    const files = (step: number) => [1, 2, 3].map((n) => `${step}/${n}.txt`);
    const script = scriptedModel((_request, step) =>
      step < 3
        ? { calls: files(step).map((path) => ['write_file', { path, content: `${path}\n` }]) }
        : { text: 'That is all.' },
    );
    await using web = await pageBench({ script });
    const page = await web.open();
    const disk = (): string[] =>
      readdirSync(web.gateway.root, { recursive: true })
        .map(String)
        .filter((name) => name.endsWith('.txt'));
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('write them');
    await page.keyboard.press('Enter');
    const group = page.getByRole('region', { name: '3 edits' });
    await group.getByText('0/3.txt').first().waitFor();
    expect(await card(page).count()).toBe(1);
    expect(occurrences(await group.innerText(), 'Why you are asked')).toBe(1);
    expect(await barriers(page, { within: '[data-approval]' })).toEqual([]);
    await page.keyboard.press('Alt+a');
    await ready(page);
    await page.keyboard.press('a');
    await group.getByText('1/3.txt').first().waitFor();
    expect(disk().sort()).toEqual(files(0));
    await ready(page);
    await page.keyboard.press('Alt+a');
    await page.keyboard.press('o');
    await expect.poll(() => card(page).count()).toBe(3);
    await page.locator('[data-approval]:focus', { hasText: '1/1.txt' }).waitFor();
    await card(page).filter({ hasText: '1/2.txt' }).getByRole('button', { name: 'Approve' }).click();
    await expect.poll(() => card(page).count()).toBe(2);
    for (const path of ['1/1.txt', '1/3.txt']) {
      const cardFor = card(page).filter({ hasText: path });
      await cardFor.getByRole('button', { name: 'Reject…' }).click();
      await cardFor.getByRole('button', { name: 'Do it another way.' }).click();
      await cardFor.waitFor({ state: 'detached' });
    }
    await group.getByText('2/3.txt').first().waitFor();
    await ready(page);
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('one file is enough');
    await page.getByText('Enter rejects all 3 with this reason.').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('article').getByText('That is all.').waitFor();
    expect(disk().sort()).toEqual([...files(0), '1/2.txt']);
    const requestText = JSON.stringify(script.requests.at(-1)?.messages);
    expect(occurrences(requestText, 'one file is enough')).toBe(3);
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('leaves room for a command of one’s own, which asks nobody, is recorded, and is told to the model', async () => {
    const script = scriptedModel((_request, step) =>
      step === 0
        ? { calls: [['write_file', { path: 'asked.txt', content: 'x' }]] }
        : { text: `Heard ${step}.` },
    );
    await using web = await pageBench({ script });
    const page = await web.open();
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.fill('! echo one > own.txt; echo printed by me');
    await page.getByText('Enter runs this command as you').waitFor();
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('printed by me').last().waitFor();
    expect(await field.inputValue()).toBe('');
    await expect.poll(() => readdirSync(web.gateway.root)).toEqual(['own.txt']);
    await field.fill('go on');
    await page.keyboard.press('Enter');
    await card(page).filter({ hasText: 'asked.txt' }).waitFor();
    expect(JSON.stringify(script.requests[0]?.messages)).toContain('printed by me');
    await ready(page);
    // A shell line also runs while a question waits, and does not answer it.
    await field.fill('!echo meanwhile');
    await page.keyboard.press('Enter');
    await page.getByRole('log').getByText('meanwhile').last().waitFor();
    expect(await card(page).filter({ hasText: 'asked.txt' }).count()).toBe(1);
    if (noSandbox === undefined) {
      // A failure caused by the sandbox is one click away from the approval that runs the command outside.
      await field.fill('!touch /usr/local/of-codelab');
      await page.keyboard.press('Enter');
      await page.getByText('Because of the sandbox: /usr/local/of-codelab is read-only').waitFor();
      await page.getByRole('button', { name: 'Run outside the sandbox…' }).click();
      await card(page).filter({ hasText: 'touch /usr/local/of-codelab' }).waitFor();
      expect(existsSync('/usr/local/of-codelab')).toBe(false);
    }
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('is told of by the browser and the title while nobody sees the page, after a click allowed it', async () => {
    await using web = await pageBench();
    const id = await web.session('Asking');
    const page = await web.open({ session: id });
    // Features that a headless browser lacks: visible notifications, and a page in the background.
    await page.evaluate(`(() => {
      window.told = [];
      window.Notification = class extends EventTarget {
        static permission = 'default';
        static asked = 0;
        static async requestPermission() { this.asked++; return (this.permission = 'granted'); }
        constructor(title, { body }) { super(); window.told.push([title, body]); window.last = this; }
        close() {}
      };
    })()`);
    const hide = (isHidden: boolean): Promise<unknown> =>
      page.evaluate(`(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'));
      })()`);
    await hide(true);
    ask(web, id, ['write_file', { path: 'first.txt', content: 'x' }]);
    await card(page).waitFor();
    expect(await page.evaluate('[Notification.asked, window.told]')).toEqual([0, []]);
    await hide(false);
    await card(page).getByRole('button', { name: 'Notify me when something is waiting' }).click();
    await page.getByRole('button', { name: 'Stop notifying me' }).waitFor();
    await hide(true);
    ask(web, id, ['write_file', { path: 'second.txt', content: 'x' }]);
    await card(page).nth(1).waitFor();
    expect(await page.evaluate('window.told')).toEqual([
      ['write_file is waiting for you', 'Create second.txt (+1 −0 lines)'],
    ]);
    expect(await page.title()).toMatch(/^\(2\) /);
    await hide(false);
    await page.evaluate(`window.last.dispatchEvent(new Event('click'))`);
    await page.locator('[data-approval]:focus', { hasText: 'second.txt' }).waitFor();
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('counts down, says so in the end, and closes by itself', async () => {
    await using web = await pageBench({ approvalMs: 3000 });
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
