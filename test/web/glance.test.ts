// Facts at a glance: failed commands and test counts, grouped steps, tables, diffs and paths; and finding sessions again.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const answer = `See \`lib/f2.js:7:3\`.

| File | Lines |
|:-----|------:|
| docs/Reference/Server.md | 1204 |

- [x] read

\`\`\`diff
-old
+new
\`\`\`

\`\`\`mermaid
%%{init: {"securityLevel": "loose", "htmlLabels": true}}%%
flowchart LR
  A["<img src=x onerror='top.__ran = 1'> 读"] --> B[Edit]
  click B href "javascript:top.__ran=1"
\`\`\`

\`\`\`mermaid
flowchart LR
  A --> --> B
\`\`\`

It is ***both***, and $\\frac{a}{b}$ but no $5.

\`\`\`js
export const sum = 1;
\`\`\``;

const testRun = `TAP version 13
# Subtest: the cart
    # Subtest: adds
    not ok 1 - adds
      ---
      location: 'lib/f3.js:4:1'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be strictly equal:

        3 !== 4

      code: 'ERR_ASSERTION'
      expected: 4
      actual: 3
      stack: |-
        TestContext.<anonymous> (lib/f3.js:9:5)
        Test.run (node:internal/test_runner/test:1402:25)
      ...
not ok 1 - the cart
  ---
  failureType: 'subtestsFailed'
  ...
not ok 2 - is empty at first
# tests 5
# pass 3
# fail 2
`;

const script = scriptedModel([
  {
    text: 'I look.',
    calls: [
      ...['lib/f1.js', 'lib/f2.js', 'lib/f3.js'].map((path): [string, object] => ['read_file', { path }]),
      ['list_files', { path: 'lib' }],
    ] as [string, Record<string, unknown>][],
  },
  { text: '', calls: [['write_file', { path: 'lib/f1.js', content: 'let a = 1;\n' }]] },
  { text: '', calls: [['run_command', { command: 'cat run.tap; exit 1' }]] },
  { text: answer },
]);

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('at a glance', () => {
  let web: PageBench;
  let page: Page;
  let session: string;
  beforeAll(async () => {
    const files = Object.fromEntries([1, 2, 3].map((n) => [`lib/f${n}.js`, `line\n`.repeat(20)]));
    web = await pageBench({ script, mode: 'trusted', files: { ...files, 'run.tap': testRun } });
    session = await web.session();
    page = await web.open({ session });
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.fill('Find why the cart test fails.');
    await field.press('Enter');
    await page.getByRole('log').getByText('Done ·').waitFor({ timeout: 30_000 });
  }, 60_000);
  afterAll(async () => await web[Symbol.asyncDispose]());

  test('a failed test run is red with its exit, its counts and the tests that failed; looking around is one line', async () => {
    const log = page.getByRole('log');
    const command = log.locator('[data-call]', { hasText: 'Exit 1' });
    await command.getByText('2 failed').waitFor();
    await command.getByText('3 passed').waitFor();
    const failed = command.getByRole('list', { name: 'Failed tests' }).getByRole('listitem');
    const texts = await failed.allInnerTexts();
    expect(texts.map((text) => text.split(/\n+/))).toEqual([
      [
        ...['the cart › adds', 'lib/f3.js:9:5', 'Expected values to be strictly equal:', '3 !== 4'],
        ...['expected: 4', 'actual: 3', 'at TestContext.<anonymous> (lib/f3.js:9:5)'],
      ],
      ['is empty at first'],
    ]);
    // The name of a test and the places of its failure lead to the assertion, with the caret at its column.
    for (const name of ['the cart › adds', 'lib/f3.js:9:5']) {
      await failed.getByRole('button', { name, exact: true }).first().click();
      await page.locator('.cm-activeLineGutter', { hasText: /^9$/ }).waitFor();
      await expect.poll(() => caretColumn(page)).toBe(5);
      await page.getByRole('button', { name: 'Conversation', exact: true }).first().click();
    }
    // The explanation of a failure folds to one line.
    await failed.getByRole('button', { name: 'Why the cart › adds failed' }).click();
    await failed.getByText('Expected values to be strictly equal: 3 !== 4').waitFor();
    expect(await command.locator('pre').count()).toBe(0);
    await command.getByRole('button', { name: 'cat run.tap' }).click();
    // The end of a failed command's output is what one looks for.
    const output = command.locator('pre', { hasText: '# fail 2' });
    await output.waitFor();
    expect(await output.innerText()).not.toContain('TAP version 13');
    await command.getByRole('button', { name: 'Show more' }).click();
    await command.locator('pre', { hasText: 'TAP version 13' }).waitFor();
    await log.getByRole('button', { name: 'Read 3 files, listed 1 folder' }).click();
    await log.getByRole('region', { name: 'Read lib/f3.js' }).waitFor();
    await log.getByRole('button', { name: '1 file' }).waitFor();
    await page.reload();
    // Unfolded parts stay unfolded.
    await log.getByRole('region', { name: 'Read lib/f3.js' }).waitFor();
    const bar = page.getByRole('region', { name: 'Session status' });
    await bar.getByText('+1').waitFor();
    expect(await bar.innerText()).toContain('scripted');
  });

  test('tables keep their words and sides, diffs have colours, and a path opens the file at its line and column', async () => {
    const log = page.getByRole('log');
    const number = log.getByRole('cell', { name: '1204' });
    expect(await number.getAttribute('class')).toContain('text-right');
    const name = log.getByRole('cell', { name: 'docs/Reference/Server.md' });
    expect((await name.boundingBox())?.height).toBeLessThan(40);
    expect(await log.getByRole('checkbox').isChecked()).toBe(true);
    const [before, after] = [log.getByText('-old', { exact: true }), log.getByText('+new', { exact: true })];
    expect(await before.getAttribute('class')).toContain('text-bad');
    expect(await after.getAttribute('class')).toContain('text-good');
    expect(await log.locator('em > strong').innerText()).toBe('both');
    await log.locator('math mfrac').waitFor();
    expect(await log.locator('math').count()).toBe(1);
    await log.getByRole('button', { name: 'lib/f2.js:7:3' }).click();
    await page.locator('.cm-activeLineGutter', { hasText: /^7$/ }).waitFor();
    expect(await caretColumn(page)).toBe(3);
    await page.getByRole('button', { name: 'Conversation', exact: true }).first().click();
  });

  test('a diagram is drawn in the colours of the theme, without a script in it; one that is none is shown as its source', async () => {
    const log = page.getByRole('log');
    const requested: string[] = [];
    page.on('request', (request) => requested.push(request.url()));
    const picture = log.getByRole('img', { name: 'Diagram' });
    await picture.waitFor();
    const source = async (): Promise<string> => decodeURIComponent((await picture.getAttribute('src')) ?? '');
    const light = await source();
    expect(light).toMatch(/^data:image\/svg\+xml,<svg /);
    expect(light).toContain('>Edit<');
    expect(light).not.toMatch(/<script|foreignObject|onerror='|<img|javascript:/);
    expect((await picture.boundingBox())?.width).toBeGreaterThan(100);
    expect(await log.locator('figure', { hasText: 'A --> --> B' }).innerText()).toContain(
      'could not be drawn',
    );
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(source).not.toBe(light);
    await page.emulateMedia({ colorScheme: 'light' });
    await expect.poll(source).toBe(light);
    await log.getByRole('button', { name: 'Show source' }).click();
    await log.getByText('click B href').waitFor();
    expect(await barriers(page)).toEqual([]);
    await log.getByRole('button', { name: 'Show diagram' }).click();
    await picture.waitFor();
    expect(await page.evaluate('window.__ran')).toBe(undefined);
    // The frame's policy kept the handler inside of the label from running.
    const blocked = web.problems.splice(0);
    expect(blocked.length).toBeGreaterThan(0);
    expect(blocked.filter((problem) => !problem.includes('inline'))).toEqual([]);
    const own = [web.gateway.running.url, 'data:', 'blob:'];
    expect(requested.filter((url) => !own.some((start) => url.startsWith(start)))).toEqual([]);
  });

  test('a code block opens as a file that is saved only when one saves it', async () => {
    await page.getByRole('log').getByRole('button', { name: 'Open as a file' }).last().click();
    const tab = page.getByRole('button', { name: /^untitled-1\.js/ }).first();
    await tab.waitFor();
    await page.locator('.cm-content', { hasText: 'export const sum = 1;' }).click();
    expect(existsSync(join(web.gateway.root, 'untitled-1.js'))).toBe(false);
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => existsSync(join(web.gateway.root, 'untitled-1.js')), { timeout: 12_000 })
      .toBe(true);
    expect(readFileSync(join(web.gateway.root, 'untitled-1.js'), 'utf8')).toBe('export const sum = 1;\n');
    await page.getByRole('button', { name: 'Conversation', exact: true }).first().click();
  });

  test('a session is pinned, archived and found by what was said in it', async () => {
    await page.getByRole('button', { name: 'Sessions' }).click();
    const list = page.getByRole('list', { name: 'Your sessions' });
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('reference server');
    await list.getByText('In messages').waitFor();
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('');
    await list.getByRole('button', { name: 'Actions for Find why' }).click();
    await page.getByRole('menuitem', { name: 'Pin', exact: true }).click();
    await list.getByLabel('Pinned').waitFor();
    await list.getByRole('button', { name: 'Actions for Find why' }).click();
    await page.getByRole('menuitem', { name: 'Archive', exact: true }).click();
    await list.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Show archived' }).click();
    await list.getByText('Find why the cart test fails').waitFor();
    expect(web.problems).toEqual([]);
  });
});

/** The column of the editor's caret, from 1. */
async function caretColumn(page: Page): Promise<number> {
  return await page.evaluate<number>(`(() => {
    const { focusNode, focusOffset } = getSelection();
    const line = focusNode?.parentElement?.closest('.cm-line') ?? focusNode?.closest?.('.cm-line');
    if (!line) return 0;
    const range = document.createRange();
    range.setStart(line, 0);
    range.setEnd(focusNode, focusOffset);
    return range.toString().length + 1;
  })()`);
}
