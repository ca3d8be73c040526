// Looking around with the web IDE in a real browser: find in a conversation and in the project, previews, other encodings, commands of one's own.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const many = 40;
const image = join(import.meta.dirname, '../..', 'docs', 'screenshots', 'editor-dark.png');

function file(page: Page, name: RegExp) {
  return page.getByRole('tree').getByRole('treeitem', { name });
}

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('looking around', { timeout: 60_000 }, () => {
  test('a word is found in rows that are not on the page, and a hit of another session leads to its place', async () => {
    const replies = Array.from({ length: many }, (_, at) => ({
      text: at === 2 ? 'Here is the needle.' : `Answer ${at}. ${'Some more words. '.repeat(30)}`,
    }));
    await using web = await pageBench({ script: scriptedModel(replies), mode: 'trusted' });
    const session = await web.session('Long');
    const other = await web.session('Other');
    for (let at = 0; at < many; at++) {
      const body = JSON.stringify({ content: `Question ${at}`, delivery: 'turn' });
      await web.gateway.request(`/api/v1/sessions/${session}/messages`, { method: 'POST', body });
    }
    const page = await web.open({ session });
    const log = page.getByRole('log');
    await log.getByText(`Answer ${many - 1}.`).waitFor();
    expect(await log.getByText('needle').count()).toBe(0);
    const results = Promise.withResolvers<void>();
    await page.route(/\/find-bar/, async (route) => {
      await results.promise;
      await route.continue();
    });
    await page.keyboard.press('Control+f');
    const field = page.getByRole('searchbox', { name: 'Find in the conversation' });
    await field.waitFor();
    // What is typed before the rest of the bar has loaded counts.
    await page.keyboard.type('the needle');
    results.resolve();
    expect(await field.inputValue()).toBe('the needle');
    await log.getByText('Here is the needle.').waitFor();
    await page.getByText('1 of 1').waitFor();
    await expect.poll(() => page.evaluate('CSS.highlights.get("found")?.size')).toBe(1);
    await field.fill('question');
    await page.getByText(`${many} of ${many}`).waitFor();
    await page.keyboard.press('Enter');
    await page.getByText(`${many - 1} of ${many}`).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await field.waitFor({ state: 'detached' });
    await page.evaluate(`location.hash = '#/${other}'`);
    await page.keyboard.press('Control+k');
    await page.keyboard.type('Sessions');
    await page.keyboard.press('Enter');
    await page.getByRole('searchbox', { name: 'Search sessions' }).fill('needle');
    await page.getByRole('button', { name: 'Here is the needle.' }).click();
    await log.getByText('Here is the needle.').waitFor();
    expect(web.problems).toEqual([]);
  });

  test('lines of the project are found and opened; pictures, SVG, Markdown and other encodings are shown', async () => {
    await using web = await pageBench({
      files: {
        'src/a.ts': `${'//\n'.repeat(80)}const wanted = 1;\n`,
        'logo.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="top.ran=1"><script>top.ran=1</script></svg>',
        'notes.md': '# Title\n\n<img src=x onerror="ran=1">\n\n- item\n',
      },
      prepare(root) {
        writeFileSync(join(root, 'shot.png'), readFileSync(image));
        writeFileSync(join(root, 'old.txt'), Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2]));
      },
    });
    const page = await web.open({ session: await web.session('Look') });
    await file(page, /^notes/).waitFor();
    await page.keyboard.press('Control+Shift+f');
    await page.getByRole('searchbox', { name: 'Search in the project' }).fill('WANTED');
    await page.getByText('1 line in 1 file').waitFor();
    for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
    const text = page.getByRole('textbox', { name: 'Text of src/a.ts' });
    await text.locator('.cm-activeLine').getByText('wanted').waitFor();
    await page.getByRole('button', { name: 'Match case' }).click();
    await page.getByText('No results').waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Control+p');
    await page.getByRole('combobox', { name: 'Find a file' }).press('Escape');
    await file(page, /^logo/).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    const width = (name: string) =>
      page
        .getByRole('img', { name: `Preview of ${name}` })
        .evaluate((element) => (element as { naturalWidth?: number }).naturalWidth);
    await expect.poll(() => width('logo.svg')).toBe(40);
    await file(page, /^shot/).click();
    await expect.poll(() => width('shot.png')).toBeGreaterThan(1000);
    await file(page, /^notes/).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    const preview = page.getByRole('region', { name: 'Preview of notes.md' });
    await preview.getByRole('heading', { name: 'Title' }).waitFor();
    expect([await preview.locator('img').count(), await page.evaluate('window.ran')]).toEqual([0, undefined]);
    await file(page, /^old/).click();
    const old = page.getByRole('textbox', { name: 'Text of old.txt' });
    await old.getByText('Ïðèâåò').waitFor();
    await page.getByRole('combobox', { name: 'Encoding' }).selectOption('windows-1251');
    await old.getByText('Привет').waitFor();
    await page.getByText('Read only').waitFor();
    expect(await barriers(page)).toEqual([]);
    expect(web.problems).toEqual([]);
  });

  test('an answer shows pictures of the workspace and nothing of another host; a preview finds those beside its file', async () => {
    const answer =
      '![chart](docs/shot.png) ![logo](/logo.svg) ![far](https://evil.example/pixel.png) ![none](docs/none.png)';
    await using web = await pageBench({
      script: scriptedModel([{ text: answer }]),
      mode: 'trusted',
      files: {
        'docs/read.md': '![beside](./shot.png)\n',
        'logo.svg':
          '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="top.ran=1"></svg>',
      },
      prepare: (root) => writeFileSync(join(root, 'docs', 'shot.png'), readFileSync(image)),
    });
    const page = await web.open({ session: await web.session('Pictures') });
    const requestedUrls: string[] = [];
    page.on('request', (request) => requestedUrls.push(request.url()));
    await page.getByRole('textbox', { name: 'Message to the agent' }).fill('Show it.');
    await page.keyboard.press('Enter');
    const log = page.getByRole('log');
    const widthOf = (name: string) =>
      page
        .getByRole('img', { name })
        .evaluate((element) => (element as { naturalWidth?: number }).naturalWidth);
    await expect.poll(() => widthOf('chart')).toBeGreaterThan(1000);
    await expect.poll(() => widthOf('logo')).toBe(40);
    expect((await log.getByRole('img', { name: 'chart' }).boundingBox())?.height).toBeLessThanOrEqual(384);
    expect(await log.getByRole('link', { name: 'far' }).getAttribute('href')).toBe(
      'https://evil.example/pixel.png',
    );
    await log.getByRole('button', { name: 'none' }).waitFor();
    expect(
      requestedUrls.filter((url) => !url.startsWith(web.gateway.running.url) && !url.startsWith('data:')),
    ).toEqual([]);
    expect(await barriers(page)).toEqual([]);
    await log.getByRole('img', { name: 'chart' }).click();
    await page.getByRole('img', { name: 'Preview of docs/shot.png' }).waitFor();
    await file(page, /^docs/).click();
    await file(page, /^read/).click();
    await page.getByRole('button', { name: 'Preview' }).click();
    await expect.poll(() => widthOf('beside')).toBeGreaterThan(1000);
    expect(await page.evaluate('window.ran')).toBe(undefined);
    // Chromium reports the file that is missing as a failed request.
    expect(web.problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  });

  test('commands of one’s own and skills are in the composer’s menu, beside /model, /status and /compact', async () => {
    const replies = Array.from({ length: 8 }, (_, at) => ({ text: `Answer ${at}.` }));
    const skill = '---\nname: tidy\ndescription: How to tidy up\n---\nTidy.\n';
    await using web = await pageBench({
      files: { '.codelab/skills/tidy/SKILL.md': skill },
      script: scriptedModel(replies),
      mode: 'trusted',
    });
    const place = join(web.gateway.home, 'commands');
    mkdirSync(place, { recursive: true });
    writeFileSync(
      join(place, 'explain.md'),
      '---\ndescription: Explain a file\narguments: file\n---\nExplain {{file}} briefly.\n',
    );
    const page = await web.open({ session: await web.session('Commands') });
    const log = page.getByRole('log');
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    const enter = async (line: string): Promise<void> => {
      await field.fill(line);
      await page.keyboard.press('Enter');
    };
    await field.focus();
    await page.keyboard.type('/');
    const menu = page.getByRole('listbox', { name: 'Commands' });
    await menu.getByRole('option', { name: /^\/explain FILE Explain a file/ }).waitFor();
    await menu.getByRole('option', { name: /^\/tidy How to tidy up · skill, from this workspace/ }).waitFor();
    await enter('/explain a.ts');
    await log.getByText('Explain a.ts briefly.').waitFor();
    await log.getByText('Answer 0.').waitFor();
    await enter('/tidy now');
    await log.getByText('Use the skill tidy.').waitFor();
    await log.getByText('Answer 1.').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    await enter('/compact');
    await log.getByText('The earlier conversation was summarized').waitFor();
    await enter('/status');
    const status = page.getByRole('dialog', { name: 'Status' });
    await status.getByText(web.gateway.root).waitFor();
    expect(await barriers(page)).toEqual([]);
    await page.keyboard.press('Escape');
    await enter('/model nowhere');
    await page.getByText('There is no model nowhere here.').waitFor();
    const loading = page.waitForEvent('download');
    await enter('/export');
    const saved = readFileSync(await (await loading).path(), 'utf8');
    expect(saved).toContain('> Explain a.ts briefly.\n\nAnswer 0.');
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('it can be installed, and its worker tells that a turn is done while nobody sees the page', async () => {
    await using web = await pageBench({ script: scriptedModel([{ text: 'All green.' }]), mode: 'trusted' });
    const session = await web.session('Away');
    const page = await web.open({ session });
    const manifest = (await page.evaluate(
      `fetch(document.querySelector('link[rel=manifest]').href).then((answer) => answer.json())`,
    )) as { icons: { src: string; sizes: string }[]; display: string };
    expect(manifest.display).toBe('standalone');
    for (const { src, sizes } of manifest.icons)
      expect(
        await page.evaluate(
          `fetch('${src}').then((one) => one.blob()).then(createImageBitmap).then((one) => one.width + 'x' + one.height)`,
        ),
      ).toBe(sizes);
    // Features that a headless browser lacks: visible notifications, and a page in the background.
    await page.evaluate(`(() => {
      window.told = [];
      window.Notification = { permission: 'granted', requestPermission: async () => 'granted' };
      ServiceWorkerRegistration.prototype.showNotification = async (title, { body, data }) => {
        window.told.push([title, body, data.session]);
      };
      Object.defineProperty(document, 'hidden', { configurable: true, value: true });
    })()`);
    await page.keyboard.press('Control+,');
    await page.getByRole('switch', { name: 'Notify me when something is waiting' }).click();
    await expect
      .poll(() =>
        page.evaluate('navigator.serviceWorker.getRegistration().then((one) => one?.active?.state)'),
      )
      .toBe('activated');
    const body = JSON.stringify({ content: 'Test it' });
    await web.gateway.request(`/api/v1/sessions/${session}/messages`, { method: 'POST', body });
    await expect
      .poll(() => page.evaluate('window.told'))
      .toEqual([['The agent is done', 'All green.', session]]);
    // A click is the worker's to hear: it leads the page to the session.
    await page.evaluate(`location.hash = ''`);
    const [worker] = page.context().serviceWorkers();
    await worker?.evaluate(`(() => {
      const click = new Event('notificationclick');
      click.notification = { close() {}, data: { session: '${session}' } };
      click.waitUntil = (work) => void work.catch(() => undefined);
      self.dispatchEvent(click);
    })()`);
    await page.waitForURL(new RegExp(`#/${session}$`));
    expect(web.problems).toEqual([]);
  });
});
