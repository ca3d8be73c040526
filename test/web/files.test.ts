// Files and the editor of the web IDE in a real browser: what is saved is compared byte for byte with what was on the disk.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { newRepository } from '../support/real-git.ts';

const mixed = '\ufeffone\r\ntwo\nthree\rfour\r\nfive\n';

async function call(web: PageBench, session: string, tool: string, args: object): Promise<void> {
  const body = JSON.stringify({ tool, args, approve: true });
  const answer = await web.gateway.request(`/api/v1/sessions/${session}/calls`, { method: 'POST', body });
  expect(await answer.json()).toMatchObject({ outcome: { status: 'completed' } });
}

function tree(page: Page) {
  return page.getByRole('tree', { name: 'Files of the workspace' });
}

function textOf(page: Page, path: string) {
  return page.getByRole('textbox', { name: `Text of ${path}` });
}

/** Opens a file of the root by keyboard alone. */
async function open(page: Page, path: string): Promise<void> {
  await tree(page).getByRole('treeitem', { name: path }).waitFor();
  await tree(page).focus();
  await page.keyboard.press('Home');
  const name = () => tree(page).locator('[aria-selected=true]').getAttribute('title');
  for (let steps = 0; (await name()) !== path && steps < 20; steps++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await textOf(page, path).waitFor();
  await textOf(page, path).focus();
}

async function save(page: Page, path: string): Promise<void> {
  await page.keyboard.press('Control+s');
  await page.getByText(`Saved ${path}.`).first().waitFor();
  await expect.poll(() => page.getByText('unsaved').count()).toBe(0);
}

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('files', { timeout: 60_000 }, () => {
  test('an edit changes its own bytes only: marks, endings and all other lines stay', async () => {
    await using web = await pageBench({ files: { 'mixed.txt': mixed, 'src/deep.ts': 'const a = 1;\n' } });
    const file = join(web.gateway.root, 'mixed.txt');
    const page = await web.open({ session: await web.session('Edits') });
    await open(page, 'mixed.txt');
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.type('!');
    await page.getByText('unsaved').first().waitFor();
    await save(page, 'mixed.txt');
    expect(readFileSync(file, 'utf8')).toBe('\ufeffone\r\ntwo!\nthree\rfour\r\nfive\n');
    // Joined lines and undo: the very ending that was there comes back.
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('End');
    await page.keyboard.press('Delete');
    await page.keyboard.press('Control+z');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('0');
    await save(page, 'mixed.txt');
    expect(readFileSync(file, 'utf8')).toBe('\ufeff0one\r\ntwo!\nthree\rfour\r\nfive\n');
    // A new line ends as the one before it.
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.type('new\n');
    await save(page, 'mixed.txt');
    expect(readFileSync(file, 'utf8')).toBe('\ufeff0one\r\nnew\r\ntwo!\nthree\rfour\r\nfive\n');
    await tree(page)
      .getByRole('treeitem', { name: /mixed\.txt.*changed in this session/ })
      .waitFor();
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('what changed on disk meanwhile is shown, and a person chooses', async () => {
    await using web = await pageBench({ files: { 'a.txt': 'one\ntwo\n' } });
    const file = join(web.gateway.root, 'a.txt');
    const page = await web.open({ session: await web.session('Stale') });
    await open(page, 'a.txt');
    await page.keyboard.type('mine ');
    writeFileSync(file, 'theirs\ntwo\n');
    await page.keyboard.press('Control+s');
    const banner = page.getByRole('alert');
    await banner.getByText('changed on disk').waitFor();
    expect(readFileSync(file, 'utf8')).toBe('theirs\ntwo\n');
    await banner.getByRole('button', { name: 'Show the difference' }).click();
    await banner.getByText('mine one').waitFor();
    await banner.getByRole('button', { name: 'Keep mine' }).click();
    await page.getByText('Saved a.txt.').first().waitFor();
    expect(readFileSync(file, 'utf8')).toBe('mine one\ntwo\n');
    await textOf(page, 'a.txt').focus();
    await page.keyboard.type('more ');
    writeFileSync(file, 'again theirs\n');
    await page.keyboard.press('Control+s');
    await banner.getByRole('button', { name: 'Take theirs' }).click();
    await banner.waitFor({ state: 'detached' });
    expect(await textOf(page, 'a.txt').textContent()).toBe('again theirs');
    expect(web.problems.filter((problem) => !problem.includes('409'))).toEqual([]);
  });

  test('what the agent changes appears in a clean file, and beside one with edits', async () => {
    await using web = await pageBench({ files: { 'a.ts': 'let a = 1;\n', 'b.ts': 'let b = 1;\n' } });
    const session = await web.session('Follow');
    const page = await web.open({ session });
    await open(page, 'a.ts');
    await call(web, session, 'write_file', { path: 'a.ts', content: 'let a = 2;\n' });
    await textOf(page, 'a.ts').getByText('let a = 2;').waitFor();
    await call(web, session, 'write_file', { path: 'new/c.ts', content: 'let c;\n' });
    await tree(page).getByRole('treeitem', { name: 'new' }).waitFor();
    await open(page, 'b.ts');
    await page.keyboard.type('// mine\n');
    // Typed text outlives the tab.
    await page.getByRole('button', { name: 'Close b.ts' }).click();
    await open(page, 'b.ts');
    await textOf(page, 'b.ts').getByText('// mine').waitFor();
    await call(web, session, 'write_file', { path: 'b.ts', content: 'let b = 2;\n' });
    await page.getByRole('alert').getByText('changed on disk').waitFor();
    await call(web, session, 'delete_file', { path: 'b.ts' });
    await page.getByRole('alert').getByText('was deleted on disk').waitFor();
    await page.getByRole('button', { name: 'Save again' }).click();
    await page.getByText('Saved b.ts.').first().waitFor();
    expect(readFileSync(join(web.gateway.root, 'b.ts'), 'utf8')).toBe('// mine\nlet b = 1;\n');
    expect(web.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  test('names are text, what cannot be shown says why, and the menu works by keyboard', async () => {
    const oddName = '<img src=x onerror=alert(1)>.txt';
    await using web = await pageBench({
      files: {
        [oddName]: '<script>alert(1)</script>\n',
        'gnp.\u202Etxt': 'x',
        '.env': 'KEY=1\n',
        'deep/er/target.ts': '',
      },
      prepare: (root) => writeFileSync(join(root, 'data.bin'), Buffer.from([0, 159, 146, 150])),
    });
    const page = await web.open({ session: await web.session('Odd') });
    await open(page, oddName);
    expect(await textOf(page, oddName).textContent()).toContain('<script>alert(1)</script>');
    await tree(page).getByRole('treeitem', { name: 'gnp.⟨U+202E⟩txt' }).waitFor();
    await tree(page).getByRole('treeitem', { name: 'data.bin' }).click();
    await page.getByText('It is a binary file').waitFor();
    await tree(page).getByRole('treeitem', { name: '.env' }).click();
    await page.getByRole('button', { name: 'Show it' }).click();
    await textOf(page, '.env').getByText('KEY=1').waitFor();
    await page.getByText('Read only').waitFor();
    await page.keyboard.press('Control+p');
    await page.keyboard.type('target');
    await page.getByRole('option', { name: 'target.ts' }).waitFor();
    await page.keyboard.press('Enter');
    await textOf(page, 'deep/er/target.ts').waitFor();
    await page.getByRole('combobox', { name: 'Find a file' }).press('Escape');
    await tree(page).focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'Mention in the message' }).press('Enter');
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Message to the agent' }).inputValue())
      .toBe('@deep ');
    expect(await barriers(page)).toEqual([]);
    expect(web.problems.filter((problem) => !/40[03]/.test(problem))).toEqual([]);
  });

  test('files are created, renamed and deleted from the tree, recorded and undone; git marks reach closed folders', async () => {
    await using web = await pageBench({
      files: { 'src/a.ts': 'let a;\n', 'src/deep/b.ts': 'let b;\n', 'README.md': '# R\n' },
      prepare(root) {
        const git = newRepository(root);
        git('add', '.');
        git('commit', '--quiet', '-m', 'first');
        writeFileSync(join(root, 'src/deep/b.ts'), 'let b = 2;\n');
      },
    });
    const at = (path: string): string => join(web.gateway.root, path);
    const session = await web.session('Tree');
    const page = await web.open({ session });
    const line = (name: RegExp) => tree(page).getByRole('treeitem', { name });
    await line(/^src.*has changes inside/).waitFor();
    expect(await tree(page).getByRole('treeitem', { name: '.git' }).count()).toBe(0);
    await line(/^src/).click();
    await line(/^deep.*has changes inside/).click();
    await line(/^b\.ts.*changed since the last commit/).waitFor();
    // A new file beside the one at hand, with a folder that is not there yet.
    await line(/^a\.ts/).click();
    await tree(page).focus();
    await page.keyboard.press('Shift+F10');
    await page.getByRole('menuitem', { name: 'New file' }).press('Enter');
    await page.getByRole('textbox', { name: 'Name in src' }).fill('new/c.ts');
    await page.keyboard.press('Enter');
    await textOf(page, 'src/new/c.ts').waitFor();
    expect(readFileSync(at('src/new/c.ts'), 'utf8')).toBe('');
    await line(/^c\.ts.*new in this session/).waitFor();
    await tree(page).focus();
    await page.keyboard.press('F2');
    const name = page.getByRole('textbox', { name: 'Name in src/new' });
    await expect
      .poll(() => name.evaluate((field) => (field as { selectionEnd?: number }).selectionEnd))
      .toBe(1);
    await page.keyboard.type('d');
    await page.keyboard.press('Enter');
    await textOf(page, 'src/new/d.ts').waitFor();
    expect([existsSync(at('src/new/c.ts')), existsSync(at('src/new/d.ts'))]).toEqual([false, true]);
    // The dialog shows a rule's refusal.
    await line(/^README\.md/).click();
    await tree(page).focus();
    await page.keyboard.press('F2');
    await page.getByRole('textbox', { name: 'Name' }).fill('../out.md');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByText('leads out of the workspace').waitFor();
    await page.keyboard.press('Escape');
    await tree(page).focus();
    await page.keyboard.press('Delete');
    await page.getByRole('dialog', { name: 'Delete?' }).getByRole('button', { name: 'Delete' }).click();
    await line(/^README\.md/).waitFor({ state: 'detached' });
    expect(existsSync(at('README.md'))).toBe(false);
    const undo = await web.gateway.request(`/api/v1/sessions/${session}/undo`, {
      method: 'POST',
      body: '{}',
    });
    expect([undo.status, readFileSync(at('README.md'), 'utf8')]).toEqual([200, '# R\n']);
    await line(/^README\.md/).waitFor();
    // Ctrl+P begins with what was open lately, not with everything.
    await page.keyboard.press('Control+p');
    await page.getByRole('option', { name: 'd.ts src/new' }).waitFor();
    expect(await page.getByRole('option').count()).toBe(2);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await textOf(page, 'src/a.ts').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(web.problems.filter((problem) => !/40[034]/.test(problem))).toEqual([]);
  });
});
