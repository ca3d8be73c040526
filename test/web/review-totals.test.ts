// What the end of a turn, the offer to review and the status line say was changed is what the review itself shows.
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
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
    const review = page.getByRole('region', { name: 'Review of the changes' });
    await review.getByText('3 files', { exact: true }).waitFor();
    await review.getByRole('checkbox', { name: 'Keep all of old/a.txt' }).uncheck();
    await review.getByRole('button', { name: 'Discard 1 hunk' }).click();
    await review.getByText('2 files', { exact: true }).waitFor();
    await bar.getByText('−12').waitFor();
    expect(await bar.innerText()).toContain('+2');
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });
});
