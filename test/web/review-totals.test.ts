// The end of a turn, the offer to review and the status line report the same changes as the review itself.
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { newRepository } from '../support/real-git.ts';
import { scriptedModel } from '../support/scripted-model.ts';

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('the totals of a turn', () => {
  test('count the lines of what a command deleted, no folders, and what a discard leaves', async () => {
    const deleting = { command: 'rm -rf old && mkdir -p empty && printf "1\\n2\\n" > made.txt' };
    await using web = await pageBench({
      mode: 'trusted',
      script: scriptedModel([{ calls: [['run_command', deleting]] }, { text: 'Cleaned up.' }]),
      files: { 'old/a.txt': 'x\n'.repeat(30), 'old/deep/b.txt': 'y\n'.repeat(12) },
    });
    const page = await web.open();
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.fill('Clean up');
    await field.press('Enter');
    const end = page.getByRole('log').getByRole('button', { name: '3 files +2 −42' });
    await end.waitFor();
    const bar = page.getByRole('region', { name: 'Session status' });
    await bar.getByText('−42').waitFor();
    await end.click();
    const review = page.getByRole('region', { name: 'Review changes' });
    await review.getByText('3 files', { exact: true }).waitFor();
    // Without a repository there is no button that does nothing, but the reason.
    await review.getByText('Nothing to commit: no git repository').waitFor();
    expect(await review.getByRole('button', { name: 'Commit…' }).count()).toBe(0);
    await review.getByRole('checkbox', { name: 'Keep all of old/a.txt' }).uncheck();
    await review.getByRole('button', { name: 'Discard 1 hunk' }).click();
    await review.getByText('2 files', { exact: true }).waitFor();
    await bar.getByText('−12').waitFor();
    expect(await bar.innerText()).toContain('+2');
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('the review names what a command removed for good, and *Discard all* never comes under the pointer', async () => {
    await using web = await pageBench({
      mode: 'review',
      script: scriptedModel([
        { calls: [['run_command', { command: 'sh clean.sh' }]] },
        { text: 'Cleaned up.' },
      ]),
      files: {
        'a.txt': 'a\n',
        '.gitignore': 'cache\n',
        'cache/c.txt': 'c\n',
        'clean.sh': 'rm -r cache\necho b > a.txt\necho n > new.txt\n',
      },
      prepare(root) {
        const git = newRepository(root);
        git('add', '.');
        git('commit', '--quiet', '-m', 'first');
      },
    });
    const page = await web.open();
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Clean up');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Review 2 files' }).click();
    const review = page.getByRole('region', { name: 'Review changes' });
    const losses = review.getByRole('region', { name: 'Removed or changed for good' });
    await losses.getByText("Removed, and undo can't bring it back: cache.").waitFor();
    const all = review.getByRole('button', { name: 'Discard all…' });
    const place = await all.boundingBox();
    await review.getByRole('checkbox', { name: 'Keep all of a.txt' }).uncheck();
    const discardButton = review.getByRole('button', { name: 'Discard 1 hunk' });
    const pressed = await discardButton.boundingBox();
    expect(await all.boundingBox()).toEqual(place);
    await discardButton.click();
    await review.getByText('Discarded 1 change in a.txt.').waitFor();
    await expect.poll(() => discardButton.count()).toBe(0);
    const after = await all.boundingBox();
    expect(after?.x).toBe(place?.x);
    expect((after?.x ?? 0) + (after?.width ?? 0)).toBeLessThan(pressed?.x ?? 0);
    // The review takes the whole window: a view of the rail is not shown as open there, and a click leaves the review.
    const files = page.getByRole('navigation', { name: 'Places' }).getByRole('button', { name: 'Files' });
    expect(await files.getAttribute('aria-pressed')).toBe('false');
    await files.click();
    await page.getByRole('tree', { name: 'Files of the workspace' }).waitFor();
    expect(await review.count()).toBe(0);
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });
});
