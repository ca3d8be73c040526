// The settings in a real browser: keys go in and never out, rules are tried, added and removed, and the page speaks three languages.
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { goToPlace } from '../support/go-to-place.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';
import { json } from '../support/web-api.ts';

const secret = 'sk-test-0123456789-never-shown';
// The port is closed: no key of a test leaves the machine.
const env = {
  OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
  ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
  OLLAMA_HOST: 'http://127.0.0.1:9',
};

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('the settings', () => {
  test('take a key in and never let it out', async () => {
    await using web = await pageBench({ env });
    const page = await web.open();
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => bodies.push(response.text().catch(() => '')));
    await openSettings(page);
    const form = page.getByRole('form', { name: 'Key for OpenAI' });
    await form.getByText('not set').waitFor();
    const field = form.getByLabel('Key for OpenAI');
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill(secret);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('set', { exact: true }).waitFor();
    expect(await field.inputValue()).toBe('');
    const keysFile = join(web.gateway.home, 'keys.json');
    expect(readFileSync(keysFile, 'utf8')).toContain(secret);
    expect(statSync(keysFile).mode & 0o777).toBe(0o600);
    await page.reload();
    await form.getByText('set', { exact: true }).waitFor();
    expect(await page.content()).not.toContain(secret);
    const responseTexts = await Promise.all(bodies);
    expect(responseTexts.length).toBeGreaterThan(5);
    expect(responseTexts.filter((body) => body.includes(secret))).toEqual([]);
    const stored = await page.evaluate('JSON.stringify([localStorage, sessionStorage])');
    expect(stored).not.toContain(secret);
    await form.getByRole('button', { name: 'Remove' }).click();
    await form.getByText('not set').waitFor();
    expect(readFileSync(keysFile, 'utf8')).not.toContain(secret);
    expect(web.problems).toEqual([]);
  });

  test('try the rules, and keep and forget one', async () => {
    await using web = await pageBench({ env, mode: 'balanced' });
    const page = await web.open();
    await openSettings(page);
    const tester = page.getByRole('form', { name: 'Try the rules' });
    const result = tester.getByRole('status');
    const check = async (command: string): Promise<void> => {
      await tester.getByLabel('Command line').fill(command);
      await tester.getByRole('button', { name: 'Check' }).click();
    };
    await check('git log | head && make-it --all');
    await result.getByText('make-it --all').waitFor();
    expect(await result.getByText('Asks first').count()).toBe(2);
    expect(await result.getByText('Runs without asking').count()).toBe(2);
    const form = page.getByRole('form', { name: 'Add a rule' });
    await form.getByLabel('Pattern').fill('make-it *');
    await form.getByLabel('Reason', { exact: true }).fill('Ours.');
    await form.getByRole('button', { name: 'Add a rule' }).click();
    const rules = page.getByRole('list', { name: 'Rules' });
    await rules.getByText('make-it *').waitFor();
    await check('make-it --all');
    await result.getByText('Ours.').first().waitFor();
    expect(await result.getByText('Asks first').count()).toBe(0);
    await rules.getByRole('button', { name: /^Remove the rule allow-command-make-it/ }).click();
    await rules.getByText('make-it *').waitFor({ state: 'detached' });
    await tester.getByLabel('What to try').selectOption('tool');
    await tester.getByLabel('Arguments as JSON').fill('[1');
    await tester.getByRole('button', { name: 'Check' }).click();
    await result.getByText('This is not a JSON object.').waitFor();
    await tester.getByLabel('Tool').fill('write_file');
    await tester.getByLabel('Arguments as JSON').fill('{"path": ".git/config", "content": ""}');
    await tester.getByRole('button', { name: 'Check' }).click();
    await result.getByText('Denied').first().waitFor();
    await page.getByRole('radio', { name: /^Strict/ }).click();
    await expect.poll(async () => (await json(web.gateway, '/settings'))[1].mode).toBe('strict');
    expect(web.problems).toEqual([]);
  });

  test.each([
    ['ru', 'Русский', /[a-z]{2,}/i],
    ['zh', '中文', /[a-z]{2,}/i],
  ])('the whole page speaks %s once it is chosen', async (language, name, foreign) => {
    await using web = await pageBench({ env });
    await web.session('—');
    const page = await web.open();
    await openSettings(page);
    await page.getByLabel('Language').last().selectOption({ label: name });
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe(language);
    const untranslated = [...(await labels(page))].filter((label) => foreign.test(withoutNames(label)));
    expect(untranslated).toEqual([]);
    for (const place of await page.getByRole('navigation').first().getByRole('button').all()) {
      await place.click();
      const untranslated = [...(await labels(page))].filter((label) => foreign.test(withoutNames(label)));
      expect(untranslated).toEqual([]);
    }
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      const untranslated = [...(await labels(page))].filter((label) => foreign.test(withoutNames(label)));
      expect(untranslated).toEqual([]);
    }
    expect(web.problems).toEqual([]);
  });

  test('have no serious barrier in either theme, and fit a phone', async () => {
    await using web = await pageBench({ env });
    const page = await web.open({ viewport: { width: 360, height: 740 } });
    await goToPlace(page, 'Settings');
    await page.getByRole('list', { name: 'Rules' }).waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page, { onlyColours: colorScheme === 'dark' })).toEqual([]);
    }
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
    expect(web.problems).toEqual([]);
  });
});

async function openSettings(page: Page): Promise<void> {
  await page.keyboard.press('Control+,');
  await page.getByRole('heading', { name: 'Model' }).waitFor();
}

/** All labels: headings, labels, tabs, buttons, and texts for screen readers. */
async function labels(page: Page): Promise<Set<string>> {
  await page.waitForLoadState('networkidle');
  const found = await page.evaluate(`[
    ...[...document.querySelectorAll('h1, h2, h3, h4, label, legend, dt, th, [role=tab], button, option, [role=status]')]
      .filter((element) => element.checkVisibility())
      .map((element) => element.innerText),
    ...[...document.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label')),
    ...[...document.querySelectorAll('[placeholder]')].map((element) => element.getAttribute('placeholder')),
  ]`);
  return new Set(found as string[]);
}

/** Names of programs and keys are the same everywhere; so is what a person or a file is called. */
function withoutNames(label: string): string {
  return label.replace(
    /CodeLab|Anthropic|(Azure )?OpenAI|Google Gemini|OpenRouter|DeepSeek|Mistral|Groq|xAI|LM Studio|llama\.cpp|vLLM|Ollama|Demo|JSON|URL|API|English|Esc|Ctrl|Alt|Shift|Enter|TODO|https?:\S+|\b(build|list|help|README\.md)\b/g,
    '',
  );
}
