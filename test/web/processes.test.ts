// Processes of the web IDE in a real browser: what they print appears in a terminal, what is typed reaches them, and no sequence reaches the page.
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';

async function call(web: PageBench, session: string, tool: string, args: object): Promise<unknown> {
  const body = JSON.stringify({ tool, args, approve: true });
  const answer = await web.gateway.request(`/api/v1/sessions/${session}/calls`, { method: 'POST', body });
  return await answer.json();
}

async function showProcesses(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Processes' }).click();
}

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('processes', { timeout: 60_000 }, () => {
  test('a process echoes what is typed, is stopped and started again', async () => {
    await using web = await pageBench();
    const session = await web.session('Serve');
    const command = 'echo ready; while read line; do echo "heard $line"; done';
    await call(web, session, 'run_persistent', { command, process_id: 'dev' });
    const page = await web.open({ session });
    await showProcesses(page);
    const output = page.getByRole('region', { name: 'Output of dev' });
    await output.locator('.xterm-rows').getByText('ready').waitFor();
    const field = page.getByRole('textbox', { name: 'Input', exact: true });
    await field.fill('hello there');
    await field.press('Enter');
    await output.locator('.xterm-rows').getByText('heard hello there').waitFor();
    expect(await field.inputValue()).toBe('');
    await page.getByRole('button', { name: 'Stop dev' }).click();
    await page.getByRole('button', { name: 'Stop dev' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Restart dev' }).click();
    await page.getByRole('button', { name: 'Stop dev' }).waitFor();
    await field.fill('again');
    await field.press('Enter');
    await output.locator('.xterm-rows').getByText('heard again').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('sequences neither style the page, title it, fill the clipboard nor make links', async () => {
    await using web = await pageBench();
    const session = await web.session('Hostile');
    const hostile = [
      '\\033]0;OWNED\\007',
      '\\033]52;c;T1dORUQ=\\007',
      '\\033]8;;javascript:alert(1)\\007click\\033]8;;\\007 ',
      '\\033[38;2;255;10;20mtrue colour\\033[0m ',
      '<img src=x onerror=alert(1)> \\033[6n\\033[c\\342\\200\\256turned ',
      'end\\n',
    ].join('');
    const command = `printf '${hostile}'; exec cat`;
    await call(web, session, 'run_persistent', { command, process_id: 'bad' });
    const page = await web.open({ session });
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    // The clipboard belongs to the browser, which other files of tests use too.
    await page.evaluate("navigator.clipboard.writeText('as it was')");
    await showProcesses(page);
    const rows = page.getByRole('region', { name: 'Output of bad' }).locator('.xterm-rows');
    await rows.getByText('<img src=x').waitFor();
    await rows.getByText('⟨U+202E⟩turned').waitFor();
    await rows.getByText('true colour').waitFor();
    expect(await page.title()).toContain('Hostile');
    expect(await page.locator('.xterm a, .xterm img').count()).toBe(0);
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('as it was');
    const answer = await web.gateway.request('/api/v1/processes/bad/output');
    // Had the terminal answered the questions, `cat` would have printed the answers.
    expect(String(((await answer.json()) as { output: string }).output).endsWith('end\n')).toBe(true);
    expect(web.problems).toEqual([]);
  });

  test('a running command is shown with its output and ended alone', async () => {
    await using web = await pageBench();
    const session = await web.session('Long');
    const page = await web.open({ session });
    await showProcesses(page);
    await page.getByText('Nothing is running').waitFor();
    const running = call(web, session, 'run_command', { command: 'echo begun; exec tail -f /dev/null' });
    const output = page.getByRole('region', { name: /^Output of echo begun/ });
    await output.locator('.xterm-rows').getByText('begun').waitFor();
    await page.getByRole('button', { name: /^Stop echo begun/ }).click();
    expect(await running).toMatchObject({ outcome: { status: 'cancelled' } });
    await page.getByText('Ended').first().waitFor();
    expect(web.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });
});
