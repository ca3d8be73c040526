// A conversation that loses nothing: messages queued while the agent works, text kept after Stop, and what a screen keeps.
import type { Model } from '@codelab/agent';
import { ToolError } from '@codelab/protocol';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { json } from '../support/web-api.ts';

/**
 * The message controls the model: `wait` hangs until released, `write X` writes a file, `no key` is refused, anything else is echoed word
 * by word.
 */
let goOn = (): void => undefined;
const echo: Model = {
  ...scriptedModel([]),
  async *stream(request, signal) {
    const last = request.messages.at(-1);
    const userText = last?.role === 'user' ? last.text : '';
    if (userText.startsWith('no key'))
      throw new ToolError('LLM_ERROR', 'The key was refused.', { reason: 'key' });
    if (userText.startsWith('wait')) {
      yield { type: 'text', delta: 'The first half of it. ' };
      await new Promise<void>((resolve, reject) => {
        goOn = resolve;
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      });
    }
    const path = /^write (\S+)/.exec(userText)?.[1];
    const text = `Answer to: ${userText}`;
    if (path === undefined) for (const word of text.split(/(?<= )/)) yield { type: 'text', delta: word };
    const id = `w${request.messages.length}.${Math.random()}`;
    const calls = path === undefined ? [] : [{ id, tool: 'write_file', args: { path, content: userText } }];
    const usage = { inputTokens: 1, outputTokens: 1 };
    const stop = calls.length > 0 ? ('calls' as const) : ('end' as const);
    const fullText = userText.startsWith('wait') ? `The first half of it. ${text}` : text;
    yield { type: 'reply', reply: { model: 'scripted', text: path ? '' : fullText, calls, usage, stop } };
  },
};

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('a conversation loses nothing', () => {
  let web: PageBench;
  beforeAll(async () => {
    web = await pageBench({ script: echo, mode: 'trusted', files: { 'a.txt': 'old\n' } });
  });
  afterAll(async () => await web[Symbol.asyncDispose]());

  test('messages sent while the agent works are queued, edited, removed and delivered', async () => {
    const session = await web.session();
    const page = await web.open({ session });
    const log = page.getByRole('log');
    await sendMessage(page, 'wait please');
    await log.getByText('The first half of it.').waitFor();
    await sendMessage(page, 'read this soon');
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('and this later');
    await page.getByRole('button', { name: 'When it is delivered: At the next step' }).last().click();
    await page.getByRole('menuitem', { name: 'After this turn' }).click();
    await page.getByRole('textbox', { name: 'Message to the agent' }).press('Enter');
    await sendMessage(page, 'not this');
    const queue = page.getByRole('region', { name: 'Queued messages' });
    await queue.getByRole('listitem').nth(2).waitFor();
    await queue.getByRole('listitem').nth(2).getByRole('button', { name: 'Remove' }).click();
    await queue.getByRole('listitem').nth(1).getByRole('button', { name: 'Edit' }).click();
    await queue.getByRole('textbox', { name: 'Edit' }).fill('and that later');
    await page.keyboard.press('Enter');
    await queue.getByText('and that later').waitFor();
    await page.reload();
    await queue.getByText('and that later').waitFor();
    expect(await queue.getByRole('listitem').count()).toBe(2);
    goOn();
    await log.getByText('Answer to: and that later').waitFor();
    await log.getByText('Answer to: read this soon').waitFor();
    expect(await log.getByText('not this').count()).toBe(0);
    expect(await queue.count()).toBe(0);
    expect(web.problems).toEqual([]);
  });

  test('what was streamed before Stop stays, can be continued, and what was queued is sent when asked', async () => {
    const session = await web.session();
    const page = await web.open({ session });
    const log = page.getByRole('log');
    await sendMessage(page, 'wait for it');
    await log.getByText('The first half of it.').waitFor();
    await sendMessage(page, 'queued words');
    await page.getByRole('region', { name: 'Queued messages' }).waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await log.getByText('Stopped here').waitFor();
    await log.getByText('The first half of it.').waitFor();
    await page.getByRole('button', { name: 'Send now' }).click();
    await log.getByText('Answer to: queued words').waitFor();
    await page.reload();
    await log.getByText('The first half of it.').waitFor();
    expect(web.problems).toEqual([]);
  });

  test('a turn that failed for its key leads to the field of the key', async () => {
    const page = await web.open({ session: await web.session() });
    await sendMessage(page, 'no key, please');
    await page.getByRole('log').getByText('The key was refused.').waitFor();
    await page.getByRole('button', { name: 'Enter the key' }).click();
    await page.locator('[data-key-of] input:focus').waitFor();
    await page.getByRole('button', { name: 'Conversation', exact: true }).first().click();
  });

  test('a draft is there on another device, and in a browser that has forgotten it', async () => {
    const session = await web.session();
    const page = await web.open({ session });
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.pressSequentially('half a thought');
    await expect
      .poll(async () => (await json(web.gateway, `/sessions/${session}/screen`))[1], { timeout: 12_000 })
      .toMatchObject({ state: { draft: { value: 'half a thought' } } });
    const other = await web.open({ session });
    const otherField = other.getByRole('textbox', { name: 'Message to the agent' });
    await expect.poll(() => otherField.inputValue(), { timeout: 12_000 }).toBe('half a thought');
  });

  test('a message that a reload caught on its way is sent once; one that is refused then is in the field again', async () => {
    const session = await web.session();
    const page = await web.open({ session });
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await page.route('**/messages', (route) => route.abort());
    await sendMessage(page, 'on its way');
    await page.getByText('Sending…').waitFor();
    await page.unroute('**/messages');
    await page.reload();
    await page.getByRole('log').getByText('Answer to: on its way').waitFor();
    expect(await field.inputValue()).toBe('');
    expect(await page.getByRole('article', { name: 'You' }).count()).toBe(1);
    await page.route('**/messages', (route) => route.abort());
    await sendMessage(page, 'nobody takes this');
    await page.getByText('Sending…').waitFor();
    await web.gateway.request(`/api/v1/sessions/${session}`, { method: 'DELETE' });
    await page.unroute('**/messages');
    await page.reload();
    await expect.poll(() => field.inputValue(), { timeout: 12_000 }).toBe('nobody takes this');
    web.problems.length = 0;
  });

  test('open tabs, picks, unfolded cards and the place survive a reload and are there on another device', async () => {
    const session = await web.session();
    const page = await web.open({ session });
    const log = page.getByRole('log');
    await sendMessage(page, 'write b.txt');
    await log.getByText('Answer to:').waitFor();
    for (const name of ['one', 'two', 'three']) {
      await sendMessage(page, `${name} ${'long\n'.repeat(60)}`);
      await log.getByText(`Answer to: ${name}`).waitFor();
    }
    const edit = log.locator('[data-call]').getByRole('button', { expanded: false });
    await scrollUpTo(page, edit);
    await edit.click();
    await page.getByRole('button', { name: /^Profile/ }).click();
    await page.getByRole('menuitem', { name: /plan/i }).click();
    const top = async (at: Locator): Promise<number> => (await at.boundingBox())?.y ?? 0;
    /** The distance of the card from the upper edge of the list. */
    const place = async (at: Page): Promise<number> =>
      (await top(at.locator('[data-call]'))) - (await top(at.getByRole('log')));
    // A second page shows what the gateway has, so the gateway must have the final scroll position.
    await expect
      .poll(async () => keepsPlace(page, await json(web.gateway, `/sessions/${session}/screen`)), {
        timeout: 12_000,
      })
      .toBe(true);
    const before = await place(page);
    await page.getByRole('treeitem', { name: 'a.txt' }).dblclick();
    await page.getByRole('button', { name: 'a.txt', exact: true }).waitFor();
    await expect
      .poll(async () => JSON.stringify((await json(web.gateway, '/screen'))[1]), { timeout: 12_000 })
      .toMatch(/(?=.*a\.txt)(?=.*"plan")/);
    await page.reload();
    const check = async (screen: Page): Promise<void> => {
      await screen.getByRole('button', { name: 'a.txt', exact: true }).waitFor();
      await screen.getByRole('button', { name: 'Conversation', exact: true }).first().click();
      await screen.getByRole('button', { name: 'Profile: plan' }).waitFor();
      await screen.getByRole('log').locator('[data-call] [aria-expanded=true]').waitFor();
      await expect
        .poll(async () => Math.abs((await place(screen)) - before), { timeout: 12_000 })
        .toBeLessThan(4);
    };
    await check(page);
    await web.gateway.restart();
    await check(await web.open({ session }));
  }, 120_000);
});

async function sendMessage(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message to the agent' });
  await field.fill(text);
  await field.press('Enter');
}

/** Turns the wheel upwards until it is on the page; a turn takes effect some frames later. */
async function scrollUpTo(page: Page, target: Locator): Promise<void> {
  await page.getByRole('log').hover();
  const isVisible = async (): Promise<boolean> => {
    const isThere = (await target.count()) > 0;
    if (!isThere) await page.mouse.wheel(0, -400);
    return isThere;
  };
  await expect.poll(isVisible, { timeout: 12_000 }).toBe(true);
}

/** Whether the first row that reaches into the list is the place that is kept, with what is unfolded. */
async function keepsPlace(page: Page, [, stored]: [number, object]): Promise<boolean> {
  const { place, unfolded } = (stored as { state: Record<string, { value: { row: string; below: number } }> })
    .state;
  const log = page.getByRole('log');
  const edge = (await log.boundingBox())?.y ?? 0;
  for (const row of await log.locator('[data-row]').all()) {
    const { y = 0, height = 0 } = (await row.boundingBox()) ?? {};
    if (y + height <= edge) continue;
    const isThere = place?.value.row === (await row.getAttribute('data-row'));
    return isThere && Math.abs(place.value.below - (edge - y)) < 2 && unfolded !== undefined;
  }
  return false;
}
