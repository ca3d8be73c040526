// The list of sessions in a real browser: find, name, fork, delete, share; and two people before one session.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { goToPlace } from '../support/go-to-place.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { json } from '../support/web-api.ts';

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('sessions', () => {
  test('are found, named, forked and deleted, and back leads back', async () => {
    await using web = await pageBench({ script: scriptedModel(() => ({ text: 'Said.' })) });
    const first = await web.session('Alpha');
    const second = await web.session('<b>Beta</b>');
    await turn(web, first, 'one');
    await turn(web, first, 'two');
    const page = await openList(web, second);
    const list = page.getByRole('list', { name: 'Your sessions' });
    await list.getByRole('button', { name: /^<b>Beta<\/b>/ }).waitFor();

    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('alp');
    await expect.poll(() => list.locator('[data-open-session]').count()).toBe(1);
    await list.getByRole('button', { name: /^Alpha.*2 turns/ }).click();
    await page.getByRole('heading', { level: 1, name: 'Alpha' }).waitFor();
    expect(new URL(page.url()).hash).toBe(`#/${first}`);
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'Beta' }).waitFor();
    await page.goForward();

    await list.locator('[data-open-session]').first().press('F2');
    await page.getByRole('textbox', { name: 'New name' }).fill('Alphabet');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Alphabet' }).waitFor();
    expect((await view(web, first)).title).toBe('Alphabet');

    await choose(page, 'Alphabet', 'Fork from a point…');
    const dialog = page.getByRole('dialog', { name: 'Fork from a point' });
    await dialog.getByRole('radio', { name: /^one/ }).check();
    await dialog.getByRole('button', { name: 'Fork' }).click();
    await page.getByRole('heading', { level: 1, name: 'Copy of Alphabet' }).waitFor();
    const fork = new URL(page.url()).hash.slice(2);
    const [, log] = await json(web.gateway, `/sessions/${fork}/log`);
    expect(JSON.stringify(log)).toContain(`"forkedFrom":{"session":"${first}"`);
    await page.getByRole('button', { name: 'Open the original' }).click();
    await page.getByRole('heading', { level: 1, name: 'Alphabet', exact: true }).waitFor();

    await page.goBack();
    await choose(page, 'Copy of Alphabet', 'Delete…');
    const sure = page.getByRole('dialog', { name: 'Delete this session?' });
    await sure.getByRole('button', { name: 'Cancel' }).click();
    expect((await view(web, fork)).id).toBe(fork);
    await choose(page, 'Copy of Alphabet', 'Delete…');
    await sure.getByRole('button', { name: 'Delete' }).click();
    await expect.poll(() => list.locator('[data-open-session]').count()).toBe(1);
    await page.getByText('What do you want to work on?').waitFor();
    expect((await json(web.gateway, `/sessions/${fork}`))[0]).toBe(404);
    expect(web.problems).toEqual([]);
  });

  test('a link to what waits is made, shows until when, and decides once', async () => {
    await using web = await pageBench({ script: writing(), mode: 'strict' });
    const session = await web.session('Shared');
    const page = await openList(web, session);
    await sendMessage(page, 'write it');
    await page.locator('[data-approval]').waitFor();
    await page.getByText('1 waiting').waitFor();
    await choose(page, 'Shared', 'Share an approval…');
    const dialog = page.getByRole('dialog', { name: 'Share an approval' });
    await dialog.getByRole('button', { name: 'Create link' }).click();
    await dialog.getByText(/^Valid until \d/).waitFor();
    const link = await dialog.getByRole('textbox', { name: 'Link' }).inputValue();
    await page.keyboard.press('Escape');
    // From another device, without signing in.
    const other = await web.open();
    await other.context().clearCookies();
    await other.goto(link);
    await other.getByRole('button', { name: /approve/i }).click();
    await page.getByRole('log').getByText('Done ·').waitFor();
    expect(readFileSync(join(web.gateway.root, 'new.txt'), 'utf8')).toBe('made\n');
    expect(web.problems).toEqual([]);
  });

  test('two browsers on one session see each other’s messages and decisions', async () => {
    await using web = await pageBench({ script: writing(), mode: 'strict' });
    const session = await web.session('Together');
    const ann = await openList(web, session);
    const bob = await web.open({ session });
    await sendMessage(ann, 'write it');
    await bob.getByRole('log').getByText('write it').waitFor();
    await bob.locator('[data-approval]').waitFor();
    await ann.locator('[data-approval]').getByRole('button', { name: 'Approve' }).click();
    await bob
      .getByText(/^Approved by /)
      .first()
      .waitFor();
    await bob.getByRole('log').getByText('Done ·').waitFor();
    expect(await bob.locator('[data-approval]').count()).toBe(0);
    await sendMessage(bob, 'again');
    await ann.getByRole('log').getByText('again', { exact: true }).waitFor();
    expect(readFileSync(join(web.gateway.root, 'new.txt'), 'utf8')).toBe('made\n');
    expect(web.problems).toEqual([]);
  });

  test('have no serious barrier in either theme, on a phone', async () => {
    await using web = await pageBench({});
    await web.session('Only');
    const page = await web.open({ viewport: { width: 360, height: 740 } });
    await goToPlace(page, 'Sessions');
    await page.getByRole('list', { name: 'Your sessions' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page, { onlyColours: colorScheme === 'dark' })).toEqual([]);
    }
    expect(web.problems).toEqual([]);
  });
});

function writing() {
  return scriptedModel([
    { calls: [['write_file', { path: 'new.txt', content: 'made\n' }]] },
    { text: 'Made.' },
    { text: 'Again.' },
  ]);
}

async function openList(web: PageBench, session: string): Promise<Page> {
  const page = await web.open({ session });
  await page.getByRole('button', { name: 'Sessions', exact: true }).click();
  return page;
}

async function sendMessage(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message to the agent' });
  await field.fill(text);
  await field.press('Enter');
}

async function choose(page: Page, title: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${title}`, exact: true }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

async function turn({ gateway }: PageBench, session: string, content: string): Promise<void> {
  await json(gateway, `/sessions/${session}/messages`, 'POST', { content });
  await expect
    .poll(
      async () =>
        JSON.stringify((await json(gateway, `/sessions/${session}/log`))[1]).split('turn.ended').length,
    )
    .toBe(content === 'one' ? 2 : 3);
}

async function view({ gateway }: PageBench, session: string): Promise<Record<string, unknown>> {
  return (await json(gateway, `/sessions/${session}`))[1];
}
