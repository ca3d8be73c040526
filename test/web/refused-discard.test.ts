// A discard that is refused because the file was changed meanwhile: the file is named, is viewed no longer, and is not committed.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { newRepository, type RealGit } from '../support/real-git.ts';
import { scriptedModel } from '../support/scripted-model.ts';

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('a discard that is refused', () => {
  test('names the files, and they are not committed until they are viewed again', async () => {
    let git: RealGit = () => '';
    const edit = (path: string): [string, Record<string, unknown>] => [
      'edit_file',
      { path, old_string: 'old', new_string: 'changed' },
    ];
    await using web = await pageBench({
      mode: 'review',
      script: scriptedModel([
        { calls: [edit('back.txt'), edit('keep.txt'), edit('more.txt')] },
        { text: 'Done.' },
      ]),
      files: { 'back.txt': 'old\n', 'keep.txt': 'old\n', 'more.txt': 'old\n' },
      prepare(root) {
        git = newRepository(root);
        git('add', '.');
        git('commit', '--quiet', '-m', 'first');
      },
    });
    const page = await web.open();
    await page.getByLabel('Message to the agent').fill('Change them');
    await page.keyboard.press('Enter');
    const review = page.getByRole('region', { name: 'Review changes' });
    await page.getByRole('button', { name: 'Review 3 files' }).click();
    await review.getByRole('checkbox', { name: 'Viewed: more.txt' }).check();
    await review.getByText('1 of 3 viewed', { exact: true }).waitFor();
    writeFileSync(join(web.gateway.root, 'more.txt'), 'changed\nin an editor\n');
    // As when the user returns to the page.
    await page.evaluate(`window.dispatchEvent(new Event('focus'))`);
    await review.getByText('0 of 3 viewed', { exact: true }).waitFor();
    await review.getByRole('checkbox', { name: 'Viewed: more.txt' }).check();
    await review.getByText('1 of 3 viewed', { exact: true }).waitFor();
    for (const path of ['back.txt', 'more.txt'])
      await review.getByRole('checkbox', { name: `Keep all of ${path}` }).uncheck();
    await review.getByText('2 hunks to discard').waitFor();
    writeFileSync(join(web.gateway.root, 'back.txt'), 'old\n');
    writeFileSync(join(web.gateway.root, 'more.txt'), 'changed\nby hand\n');
    await review.getByRole('button', { name: 'Commit…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Commit these changes' });
    await dialog.getByLabel('Commit message').fill('Keep one');
    await dialog.getByRole('button', { name: 'Commit', exact: true }).click();
    await dialog.getByText('Marked to be discarded, and could not be: more.txt.').waitFor();
    const notice = await review.getByText('Not discarded:').innerText();
    expect(notice).toContain('back.txt: the file no longer has changes');
    expect(notice).toContain('more.txt: it was changed since');
    expect(notice).not.toContain('hunk ');
    await review.getByText('0 of 2 viewed', { exact: true }).waitFor();
    expect(git('log', '-1', '--format=%s').trim()).toBe('first');
    await dialog.getByRole('button', { name: 'Commit', exact: true }).click();
    await page.getByText('Committed as').waitFor();
    expect(git('show', '--name-only', '--format=%s').trim().split(/\n+/)).toEqual(['Keep one', 'keep.txt']);
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });
});
