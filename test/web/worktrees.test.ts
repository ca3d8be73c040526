// Sessions in git worktrees in a real browser: begun, worked in, merged and dropped, with the files of the session on the screen.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { goToPlace } from '../support/go-to-place.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { newRepository, type RealGit, realGit } from '../support/real-git.ts';
import { scriptedModel } from '../support/scripted-model.ts';
import { type Json, json } from '../support/web-api.ts';

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('worktrees', () => {
  test('a session is begun in one by choice, works there alone, is merged and dropped', async () => {
    await using web = await repositoryBench();
    const page = await web.open();
    const choice = page.getByRole('button', { name: 'Start in a worktree' });
    await choice.waitFor();
    expect(await choice.getAttribute('aria-pressed')).toBe('false');
    await choice.click();
    await sendMessage(page, 'Add a login');
    await page.getByRole('log').getByText('Made.').waitFor();
    await page.getByRole('button', { name: 'Worktree on codelab/add-a-login' }).waitFor();
    expect(await choice.count()).toBe(0);
    const { id, path } = await shownWorktree(web, page);
    expect(readFileSync(join(path, 'new.txt'), 'utf8')).toBe('made\n');
    expect(existsSync(join(web.gateway.root, 'new.txt'))).toBe(false);
    expect(web.git('status', '--porcelain')).toBe('');

    const tree = page.getByRole('tree');
    await tree.getByRole('treeitem', { name: /^new\.txt/ }).waitFor();

    await page.getByRole('button', { name: 'Worktree on codelab/add-a-login' }).click();
    await page.getByRole('menuitem', { name: 'Merge worktree…' }).click();
    const merge = page.getByRole('dialog', { name: 'Merge worktree' });
    await merge.getByText('1 file is not committed').waitFor();
    const go = merge.getByRole('button', { name: 'Merge into main' });
    expect(await go.isDisabled()).toBe(true);
    await merge.getByRole('textbox', { name: 'Commit message' }).fill('Add the login');
    await go.click();
    await page.getByRole('log').getByText('codelab/add-a-login was merged into main.').waitFor();
    expect(readFileSync(join(web.gateway.root, 'new.txt'), 'utf8')).toBe('made\n');
    expect(web.git('log', '-1', '--format=%s').trim()).toBe('Add the login');

    writeFileSync(join(path, 'later.txt'), 'later\n');
    await goToPlace(page, 'Sessions');
    await page.getByText('merged into main', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Actions for Add a login' }).click();
    await page.getByRole('menuitem', { name: 'Drop worktree…' }).click();
    const drop = page.getByRole('dialog', { name: 'Drop worktree' });
    await drop.getByText('1 file is not committed and will be lost').waitFor();
    await drop.getByText('later.txt').waitFor();
    await drop.getByRole('button', { name: 'Drop worktree' }).click();
    await page.getByText('Nothing can be run here any more').waitFor();
    await page.getByRole('log').getByText('The worktree on codelab/add-a-login was dropped.').waitFor();
    await page.getByText('dropped', { exact: true }).waitFor();
    expect(existsSync(path)).toBe(false);
    expect((await json(web.gateway, `/sessions/${id}`))[1].worktree).toMatchObject({ state: 'dropped' });
    expect(web.git('branch', '--list', 'codelab/*').trim()).toBe('codelab/add-a-login');
  });

  test('each session shows its own files, and a save goes to the one on the screen', async () => {
    await using web = await repositoryBench();
    const mainSession = await web.session('Here');
    const worktree = await begin(web, 'there');
    writeFileSync(join(worktree.path, 'only-there.txt'), 'needle\n');
    const page = await web.open({ session: mainSession });
    const tree = page.getByRole('tree');
    await tree.getByRole('treeitem', { name: /^a\.txt/ }).waitFor();
    expect(await tree.getByRole('treeitem', { name: /^only-there/ }).count()).toBe(0);
    await page.goto(`${web.gateway.running.url}/#/${worktree.id}`);
    await tree.getByRole('treeitem', { name: /^only-there\.txt.*/ }).waitFor();
    await tree.getByRole('treeitem', { name: /^a\.txt/ }).click();
    const editor = page.getByRole('textbox', { name: /a\.txt/ });
    await editor.waitFor();
    await editor.press('Control+Home');
    await page.keyboard.type('mine ');
    // The other session comes onto the screen before the answer to the save does.
    const { promise: isSwitched, resolve: answerSave } = Promise.withResolvers<void>();
    await page.route('**/api/v1/files/**', async (route) => {
      const response = await route.fetch();
      if (route.request().method() !== 'GET') await isSwitched;
      await route.fulfill({ response });
    });
    await page.keyboard.press('Control+s');
    await expect.poll(() => readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('mine one\n');
    expect(readFileSync(join(web.gateway.root, 'a.txt'), 'utf8')).toBe('one\n');
    await page.goto(`${web.gateway.running.url}/#/${mainSession}`);
    await expect.poll(() => tree.getByRole('treeitem', { name: /^only-there/ }).count()).toBe(0);
    answerSave();
    await expect.poll(() => editor.innerText()).not.toContain('mine');
    expect(await tree.getByRole('treeitem', { name: /^only-there/ }).count()).toBe(0);

    // Typed here, saved there: the editor asks first, although both files were the same.
    writeFileSync(join(worktree.path, 'a.txt'), 'one\n');
    await editor.press('Control+Home');
    await page.keyboard.type('here ');
    await page.goto(`${web.gateway.running.url}/#/${worktree.id}`);
    await page.getByRole('button', { name: 'Worktree on codelab/there' }).waitFor();
    await editor.click();
    await page.keyboard.press('Control+s');
    await page.getByRole('button', { name: 'Keep mine' }).waitFor();
    expect(readFileSync(join(worktree.path, 'a.txt'), 'utf8')).toBe('one\n');
    expect(web.problems).toEqual([]);
  });

  test('conflicts are shown by file, what a drop loses is asked again when it changed, and a missing one is said', async () => {
    await using web = await repositoryBench();
    const own = await begin(web, 'one');
    writeFileSync(join(own.path, 'a.txt'), 'tree\n');
    own.git('commit', '--quiet', '-am', 'In the tree');
    writeFileSync(join(web.gateway.root, 'a.txt'), 'main\n');
    web.git('commit', '--quiet', '-am', 'In main');
    const page = await web.open({ session: own.id });
    const menu = page.getByRole('button', { name: 'Worktree on codelab/one' });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Merge worktree…' }).click();
    const merge = page.getByRole('dialog', { name: 'Merge worktree' });
    await merge.getByText(/In the tree$/).waitFor();
    await merge.getByRole('button', { name: 'Merge into main' }).click();
    const conflict = merge.getByRole('alert');
    await conflict.getByText('These files conflict. The workspace was not changed.').waitFor();
    expect(await conflict.getByRole('listitem').allInnerTexts()).toEqual(['a.txt']);
    expect(readFileSync(join(web.gateway.root, 'a.txt'), 'utf8')).toBe('main\n');
    await merge.getByRole('button', { name: 'Cancel' }).click();

    await menu.click();
    await page.getByRole('menuitem', { name: 'Drop worktree…' }).click();
    const drop = page.getByRole('dialog', { name: 'Drop worktree' });
    await drop.getByText('1 commit is not merged and stays on codelab/one').waitFor();
    await drop.getByRole('checkbox', { name: 'Delete the branch codelab/one as well' }).check();
    await drop.getByText('1 commit will be lost').waitFor();
    writeFileSync(join(own.path, 'later.txt'), 'later\n');
    await drop.getByRole('button', { name: 'Drop worktree' }).click();
    await drop.getByText('More changed since you looked.').waitFor();
    await drop.getByText('later.txt').waitFor();
    expect(existsSync(own.path)).toBe(true);
    await drop.getByRole('button', { name: 'Cancel' }).click();

    rmSync(own.path, { recursive: true });
    await page.reload();
    await page.getByText('The worktree of this session is missing.').waitFor();
    await page.getByRole('button', { name: 'New session' }).first().waitFor();
  });

  test('a folder without git offers none', async () => {
    await using web = await pageBench({ files: { 'a.txt': 'one\n' } });
    const page = await web.open();
    await page.getByRole('treeitem', { name: /^a\.txt/ }).waitFor();
    await page.getByRole('button', { name: /^Mode:/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Start in a worktree' }).count()).toBe(0);
    expect(web.problems).toEqual([]);
  });
});

type RepositoryBench = PageBench & { git: RealGit };

async function repositoryBench(): Promise<RepositoryBench> {
  let git: RealGit | undefined;
  const web = await pageBench({
    mode: 'trusted',
    files: { 'a.txt': 'one\n' },
    script: scriptedModel([
      { calls: [['write_file', { path: 'new.txt', content: 'made\n' }]] },
      { text: 'Made.' },
    ]),
    prepare(root) {
      git = newRepository(root);
      git('add', '--all');
      git('commit', '--quiet', '-m', 'First');
    },
  });
  return { ...web, git: git ?? realGit(web.gateway.root) };
}

/** A session in a worktree of that name, made over REST. */
async function begin({ gateway }: PageBench, name: string) {
  const [, created] = await json(gateway, '/sessions', 'POST', { title: name, worktree: { name } });
  const { path } = created.worktree as { path: string };
  return { id: String(created.id), path, git: realGit(path) };
}

/** The session on the screen, and the folder of its worktree. */
async function shownWorktree({ gateway }: PageBench, page: Page): Promise<{ id: string; path: string }> {
  const id = new URL(page.url()).hash.slice(2);
  const [, session] = await json(gateway, `/sessions/${id}`);
  return { id, path: String((session.worktree as Json).path) };
}

async function sendMessage(page: Page, text: string): Promise<void> {
  const field = page.getByRole('textbox', { name: 'Message to the agent' });
  await field.fill(text);
  await field.press('Enter');
}
