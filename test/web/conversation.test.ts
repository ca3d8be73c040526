// The conversation of the web IDE in a real browser: what is said and done appears as it happens, and nothing of it is ever HTML.
import { createServer } from 'node:net';
import type { Model } from '@codelab/agent';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { scriptedModel } from '../support/scripted-model.ts';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('the conversation', () => {
  test('shows a turn with its calls, errors and answer, and again after a reload', async () => {
    const script = scriptedModel([
      { text: 'I **look** first.', calls: [['read_file', { path: 'a.ts' }]] },
      { text: '', calls: [['read_file', { path: 'missing.ts' }]] },
      { text: '', calls: [['edit_file', { path: 'a.ts', old_string: 'let b = 0;', new_string: 'b' }]] },
      { text: '', calls: [['run_command', { command: 'echo "hello <b>there</b>"' }]] },
      { text: 'See [it](https://example.org/x):\n\n```ts\nconst a = 1;\n```' },
    ]);
    await using web = await pageBench({ script, mode: 'trusted', files: { 'a.ts': 'let a = 0;\n' } });
    const page = await web.open();
    await sendMessage(page, 'Look at a.ts');
    const log = page.getByRole('log');
    await log.getByText('Done ·').waitFor();
    expect(await log.locator('strong').textContent()).toBe('look');
    await log.getByText('FILE_NOT_FOUND').waitFor();
    // An error is one sentence; what else it says is folded, with its own lines.
    const failed = log.locator('[data-call]', { hasText: 'String to replace not found' });
    expect((await failed.locator('p').allInnerTexts()).map((text) => text.split('\n'))).toEqual([
      ['String to replace not found in file.', 'INVALID_ARGUMENTS'],
    ]);
    await failed.getByRole('button').first().click();
    const nearest = failed.locator('pre', { hasText: 'The nearest text is in line 1:\n1 | let a = 0;' });
    expect(await nearest.isVisible()).toBe(false);
    await failed.getByText('Details', { exact: true }).click();
    await nearest.waitFor();
    await log.getByRole('button', { name: 'echo' }).click();
    await log.locator('pre', { hasText: 'hello <b>there</b>' }).waitFor();
    const link = log.getByRole('link', { name: 'it (example.org)' });
    expect(await link.getAttribute('rel')).toBe('noopener noreferrer');
    // Coloured once the code is whole and the language is loaded.
    await log.locator('code span[style*="color"]').first().waitFor();
    await page.reload();
    await log.getByText('Done ·').waitFor();
    await log.getByText('Look at a.ts').waitFor();
    expect(await page.title()).toBe('Look at a.ts · CodeLab');
    expect([web.problems, web.gateway.faults]).toEqual([[], []]);
  });

  test('streams, stops, and keeps what is typed meanwhile over a reload', async () => {
    await using web = await pageBench({ script: endless() });
    const page = await web.open();
    await sendMessage(page, 'go on');
    await page.getByRole('log').getByText('word 0 word 1 ').waitFor();
    const field = messageField(page);
    await field.pressSequentially('next thing');
    await page.reload();
    await page.getByRole('log').getByText('word 0 word 1 ').waitFor();
    expect(await field.inputValue()).toBe('next thing');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByRole('log').getByText('Stopped ·').waitFor();
    // Earlier messages stay.
    await page.getByRole('log').getByText('word 0 word 1 ').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
    expect(web.problems).toEqual([]);
  });

  test('shows the model an image that is pasted, and keeps it over a reload', async () => {
    const script = scriptedModel([{ text: 'A pixel.' }]);
    await using web = await pageBench({ script });
    const page = await web.open();
    const field = messageField(page);
    await field.focus();
    await page.evaluate(`{
      const bytes = Uint8Array.from(atob('${pixel}'), (char) => char.charCodeAt(0));
      const clipboardData = new DataTransfer();
      clipboardData.items.add(new File([bytes], 'pixel.png', { type: 'image/png' }));
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
    }`);
    const waitingList = page.getByRole('list', { name: 'Images for this message' }).getByAltText('pixel.png');
    await waitingList.waitFor();
    await page.reload();
    await waitingList.waitFor();
    await sendMessage(page, 'What is this?');
    const log = page.getByRole('log');
    await log.getByText('Done ·').waitFor();
    await log.getByAltText('pixel.png').waitFor();
    expect(await waitingList.count()).toBe(0);
    const [firstMessage] = script.requests[0]?.messages ?? [];
    expect(firstMessage).toMatchObject({ role: 'user', images: [{ mediaType: 'image/png', data: pixel }] });
    expect(web.problems).toEqual([]);
  });

  test('completes files after @ and commands after /', async () => {
    const script = scriptedModel([{ text: 'Read.' }]);
    await using web = await pageBench({ script, files: { 'src/deep/target.ts': 'x', 'other.md': 'y' } });
    const page = await web.open();
    const field = messageField(page);
    await field.pressSequentially('see @targ');
    await page.getByRole('option', { name: 'target.ts' }).waitFor();
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('see @src/deep/target.ts ');
    await field.fill('');
    await field.pressSequentially('/u');
    await page.getByRole('option', { name: '/undo' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await field.inputValue()).toBe('/undo');
    expect(web.problems).toEqual([]);
  });

  test('says that the connection is lost, and goes on where it was', async () => {
    const script = scriptedModel([{ text: 'First.' }, { text: 'Second.' }]);
    await using web = await pageBench({ script, port: await freePort() });
    const page = await web.open();
    await sendMessage(page, 'one');
    await page.getByRole('log').getByText('First.').waitFor();
    await messageField(page).fill('half a thou');
    await web.gateway.restart();
    await page.getByText('Connection lost').waitFor({ state: 'hidden' });
    expect(await messageField(page).inputValue()).toBe('half a thou');
    await sendMessage(page, 'two');
    await page.getByRole('log').getByText('Second.').waitFor();
    expect(await page.getByRole('log').getByText('First.').count()).toBe(1);
    // The browser itself reports what it could not reach while nobody was there.
    expect(web.problems.filter((problem) => !problem.includes('ERR_CONNECTION_REFUSED'))).toEqual([]);
  });

  test('a long session is at its end, and scrolls without fighting the reader', async () => {
    await using web = await pageBench({ script: endless() });
    const id = await web.session('Long');
    const { log } = web.gateway.running.gateway.host;
    const bodies = Array.from({ length: 400 }, (_, i) => [
      { type: 'turn.started' as const, turn: i + 1, text: `Question ${i}`, model: 'm', profile: 'build' },
      { type: 'turn.ended' as const, turn: i + 1, end: 'completed' as const },
    ]).flat();
    await log.append(id, bodies, { expected: (await log.read(id)).length });
    const page = await web.open({ session: id });
    await page.getByText('Question 399').waitFor();
    expect(await page.locator('[data-index]').count()).toBeLessThan(60);
    await sendMessage(page, 'go on');
    await page.getByText('word 0 ').waitFor();
    await page.getByRole('log').hover();
    await page.mouse.wheel(0, -1500);
    const latest = page.getByRole('button', { name: 'Jump to latest' });
    await latest.waitFor();
    const before = await scrolled(page);
    expect(before).toBeGreaterThan(0);
    await waitForWords(page);
    expect(await scrolled(page)).toBe(before);
    await latest.click();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped ·').waitFor();
    expect(web.problems).toEqual([]);
  });

  test('runs nothing of what tools and models say', async () => {
    const script = scriptedModel((_request, step) => {
      const attack = attacks[Math.floor(step / 3)] ?? '';
      switch (step % 3) {
        case 0:
          return {
            text: `${attack}\n\n[x](${attack}) \`${attack}\``,
            calls: [['read_file', { path: 'evil.html' }]],
          };
        case 1:
          return { text: `\`\`\`html\n${attack}\n\`\`\``, calls: [['read_file', { path: `no ${attack}` }]] };
        default:
          return { text: `The end of ${Math.floor(step / 3)}.` };
      }
    });
    await using web = await pageBench({ script, files: { 'evil.html': attacks.join('\n') } });
    const page = await web.open();
    for (const [at, attack] of attacks.entries()) {
      await sendMessage(page, attack);
      await page.getByRole('log').getByText(`The end of ${at}.`).waitFor();
      await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
      const folded = page.locator('[data-call] > button[aria-expanded=false]');
      while ((await folded.count()) > 0) await folded.first().click();
    }
    expect(await page.evaluate('window.owned')).toBeUndefined();
    const live = page.locator('main script, main img, main iframe, main [onerror], main a:not([href^=http])');
    expect(await live.count()).toBe(0);
    expect(web.problems).toEqual([]);
  });
});

const attacks = [
  '<img src=x onerror="window.owned=1">',
  '<script>window.owned=1</script>',
  '<iframe srcdoc="<script>parent.owned=1</script>"></iframe>',
  'javascript:window.owned=1//',
  '"><svg onload=window.owned=1>',
];

function messageField(page: Page) {
  return page.getByRole('textbox', { name: 'Message to the agent' });
}

function scrolled(page: Page): Promise<number> {
  return page.getByRole('log').evaluate((box) => (box as unknown as { scrollTop: number }).scrollTop);
}

async function sendMessage(page: Page, text: string): Promise<void> {
  await messageField(page).fill(text);
  await page.keyboard.press('Enter');
}

/** A model that goes on until it is stopped. */
function endless(): Model {
  return {
    name: 'endless',
    contextTokens: 100_000,
    async *stream(_request, signal) {
      for (let i = 0; ; i++) {
        signal.throwIfAborted();
        yield { type: 'text', delta: `word ${i} ${i % 10 === 9 ? '\n\n' : ''}` };
        await new Promise((resolve) => setTimeout(resolve, 10));
      }
    },
  };
}

async function waitForWords(page: Page): Promise<void> {
  const count = 'document.querySelector("[role=log]").textContent.length';
  const now = Number(await page.evaluate(count));
  await expect.poll(() => page.evaluate(count), { timeout: 10_000 }).toBeGreaterThan(now + 400);
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address !== null ? address.port : 0;
}
