// Changes and trash of the web IDE in a real browser: undone and brought again byte for byte, also after a reload; conflicts are told, not overrun.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const before = '\ufeffone\r\ntwo\nthree\n';

async function sendMessage(page: Page, text: string, answer: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message to the agent' }).fill(text);
  await page.keyboard.press('Enter');
  await page.getByRole('log').getByText(answer).waitFor();
  await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
}

async function showChanges(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Changes' }).click();
  await page.getByRole('list', { name: 'What was changed' }).waitFor();
}

function changing() {
  return scriptedModel([
    {
      text: '',
      calls: [
        ['edit_file', { path: 'a.txt', old_string: 'two', new_string: 'TWO' }],
        ['write_file', { path: 'new/b.txt', content: 'made\n' }],
      ],
    },
    { text: 'Changed.' },
  ]);
}

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('changes', { timeout: 60_000 }, () => {
  test('a turn is undone after a reload and brought again, byte for byte', async () => {
    await using web = await pageBench({
      script: changing(),
      mode: 'trusted',
      files: { 'a.txt': before, 'c.txt': 'c\n' },
    });
    const at = (path: string): string => join(web.gateway.root, path);
    const page = await web.open();
    await sendMessage(page, 'change them', 'Changed.');
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('\ufeffone\r\nTWO\nthree\n');
    await page.reload();
    const total = page.getByRole('region', { name: 'Session status' }).getByText('+2');
    await total.waitFor();
    await showChanges(page);
    // The file that was clicked is the one that is shown.
    await page.getByRole('button', { name: /^b\.txt/ }).click();
    await page.getByRole('region', { name: 'new/b.txt' }).and(page.locator('[data-wanted]')).waitFor();
    await page.getByRole('button', { name: 'Undo turn 1' }).click();
    const dialog = page.getByRole('dialog', { name: 'Undo these changes?' });
    await dialog.getByText('restored as it was').waitFor();
    await dialog.getByText('removed').waitFor();
    await dialog.getByText('TWO').first().waitFor();
    expect(existsSync(at('new/b.txt'))).toBe(true);
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(readFileSync(at('a.txt'), 'utf8')).toBe(before);
    expect(existsSync(at('new/b.txt'))).toBe(false);
    await page.getByText('Undone', { exact: true }).first().waitFor();
    await page
      .getByRole('list', { name: 'What was changed' })
      .getByText(/^Undone: .*a\.txt/)
      .waitFor();
    // The undone change is no longer counted or offered for review.
    await total.waitFor({ state: 'detached' });
    expect(
      await page
        .getByRole('log')
        .getByRole('button', { name: /^2 files/ })
        .count(),
    ).toBe(0);
    await page.getByRole('button', { name: 'Redo', exact: true }).click();
    const redoDialog = page.getByRole('dialog', { name: 'Redo these changes?' });
    await redoDialog.getByRole('button', { name: 'Redo', exact: true }).click();
    await redoDialog.waitFor({ state: 'hidden' });
    await total.waitFor();
    expect(readFileSync(at('a.txt'), 'utf8')).toBe('\ufeffone\r\nTWO\nthree\n');
    expect(readFileSync(at('new/b.txt'), 'utf8')).toBe('made\n');
    await page
      .getByTitle(/^Show what changed: .*a\.txt/)
      .first()
      .click();
    await page.getByRole('article').getByText('TWO').first().waitFor();
    expect(web.problems).toEqual([]);
  });

  test('a conflict is explained file by file, and forcing it is a step of its own', async () => {
    await using web = await pageBench({
      script: changing(),
      mode: 'trusted',
      files: { 'a.txt': before, 'c.txt': 'c\n' },
    });
    const file = join(web.gateway.root, 'a.txt');
    const page = await web.open();
    await sendMessage(page, 'change them', 'Changed.');
    writeFileSync(file, 'somebody else\n');
    await showChanges(page);
    await page.getByRole('button', { name: /^Undo: .*a\.txt/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('1 file has changed since').waitFor();
    const undo = dialog.getByRole('button', { name: 'Undo', exact: true });
    expect(await undo.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Force these too…' }).click();
    await dialog.getByText('It is kept in the trash.').waitFor();
    expect(readFileSync(file, 'utf8')).toBe('somebody else\n');
    await dialog.getByRole('button', { name: 'Overwrite the later changes' }).click();
    await dialog.waitFor({ state: 'hidden' });
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(web.problems).toEqual([]);
  });

  test('what was deleted comes back from the trash, and nothing is a barrier', async () => {
    await using web = await pageBench({
      script: changing(),
      mode: 'trusted',
      files: { 'a.txt': before, 'c.txt': 'c\n' },
    });
    const session = await web.session('Trash');
    const page = await web.open({ colorScheme: 'light', session });
    await sendMessage(page, 'change them', 'Changed.');
    const body = JSON.stringify({ tool: 'delete_file', args: { path: 'c.txt' }, approve: true });
    await web.gateway.request(`/api/v1/sessions/${session}/calls`, { method: 'POST', body });
    expect(existsSync(join(web.gateway.root, 'c.txt'))).toBe(false);
    await showChanges(page);
    await noBarrier(page);
    await page.getByRole('button', { name: 'Trash' }).click();
    await page.getByRole('button', { name: 'Restore c.txt' }).click();
    await page.getByText('Restored c.txt.').waitFor();
    expect(readFileSync(join(web.gateway.root, 'c.txt'), 'utf8')).toBe('c\n');
    await page.getByRole('button', { name: 'Restore c.txt' }).waitFor({ state: 'detached' });
    expect(web.problems).toEqual([]);
  });
});

async function noBarrier(page: Page): Promise<void> {
  expect(await barriers(page)).toEqual([]);
}
