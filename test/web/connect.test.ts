// The page where no model is chosen, in a real browser: a provider is picked, its key is tried, and the model is there at once.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { barriers } from '../support/barriers.ts';
import { noBrowser } from '../support/browser.ts';
import { json, modelServer } from '../support/model-server.ts';
import { notBuilt, pageBench } from '../support/page-bench.ts';

const key = 'sk-right-0123456789';
const wrong = 'sk-wrong-0123456789';
const closedUrl = 'http://127.0.0.1:9';
const local = { LMSTUDIO_BASE_URL: closedUrl, LLAMACPP_BASE_URL: closedUrl, VLLM_BASE_URL: closedUrl };

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('without a model', () => {
  test('the page asks to connect one, tries the key, chooses the model at once, and asks once how to work', async () => {
    await using server = await modelServer(({ path, headers }) =>
      path.startsWith('/ollama/') || headers.authorization === `Bearer ${key}`
        ? json({ data: [{ id: 'small' }, { id: 'gpt-5' }] })
        : json({ error: { message: `bad key ${headers.authorization}` } }, 401),
    );
    const env = { ...local, OPENAI_BASE_URL: `${server.url}/v1`, OLLAMA_HOST: `${server.url}/ollama` };
    await using web = await pageBench({ env, mode: undefined });
    const page = await web.open();
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => bodies.push(response.text().catch(() => '')));
    const connect = page.getByRole('region', { name: 'Connect a model' });
    await page.getByRole('banner').getByText('No model', { exact: true }).waitFor();
    // Providers on this machine come first, and need no setup.
    await expect
      .poll(() => connect.getByRole('group').getByRole('button').first().textContent())
      .toMatch(/^Ollama/);
    expect(await barriers(page)).toEqual([]);
    // The block grows downwards: what is under the pointer stays there.
    const other = connect.getByRole('button', { name: 'Other (OpenAI-compatible)' });
    const top = (await other.boundingBox())?.y;
    await other.click();
    await connect.getByLabel('Base URL').fill(closedUrl);
    await connect.getByLabel('Base URL').press('Enter');
    await connect
      .getByRole('alert')
      .getByText(
        /^Nothing is listening at http:\/\/127\.0\.0\.1:9\S*\. Start the server or correct the base URL\.$/,
      )
      .waitFor();
    expect((await other.boundingBox())?.y).toBe(top);
    await connect.getByRole('button', { name: 'OpenAI', exact: true }).click();
    const field = connect.getByLabel('API key');
    expect(await field.getAttribute('type')).toBe('password');
    // The field has the focus, and Enter submits it.
    await page.locator('input[type=password]:focus').waitFor();
    await page.keyboard.type(wrong);
    await page.keyboard.press('Enter');
    await connect.getByRole('alert').getByText('answered 401').waitFor();
    expect(await page.getByText(wrong).count()).toBe(0);
    await field.fill(key);
    await connect.getByRole('button', { name: 'Test and connect' }).click();
    await connect.waitFor({ state: 'detached' });
    await page.getByRole('banner').getByText('Ready', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Model: gpt-5' }).waitFor();
    // The next step asks for the mode in this folder: explained once, stored for the folder, switched at the message field.
    const start = page.getByRole('region', { name: 'How should the agent work in this folder?' });
    await page.getByRole('button', { name: 'Mode: Ask each time' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await start.getByRole('button', { name: 'Choose “Let it work, then review”' }).click();
    await page.getByText('Try asking').waitFor();
    await page.locator('textarea[aria-label="Message to the agent"]:focus').waitFor();
    await page.getByRole('button', { name: 'Mode: Let it work, then review' }).waitFor();
    const modes = readFileSync(join(web.gateway.home, 'modes.json'), 'utf8');
    expect(JSON.parse(modes)).toEqual({ [web.gateway.root]: 'review' });
    // Instructions that the folder brings along are followed only when the person says so.
    writeFileSync(join(web.gateway.root, 'AGENTS.md'), 'Use tabs.\n');
    await page.reload();
    await page.getByRole('button', { name: 'Mode: Let it work, then review' }).waitFor();
    const instructions = page.getByRole('region', { name: 'This folder has instructions for agents' });
    await instructions.getByRole('button', { name: 'AGENTS.md' }).waitFor();
    expect(await barriers(page)).toEqual([]);
    await instructions.getByRole('button', { name: 'Follow them', exact: true }).click();
    await instructions.waitFor({ state: 'detached' });
    const trust = readFileSync(join(web.gateway.home, 'trust.json'), 'utf8');
    expect(JSON.parse(trust)).toEqual({ instructions: { [web.gateway.root]: 'trusted' } });
    await page.keyboard.press('Alt+m');
    await page.getByRole('menuitem', { name: /^Plan only/ }).press('Enter');
    // The focus comes back to the picker; a menu that opens before that would lose it, and close.
    await page.locator('button[aria-label="Mode: Plan only"]:focus').waitFor();
    await page.keyboard.press('Alt+m');
    await page.getByRole('menuitem', { name: /^Strict/ }).click();
    await page.getByRole('button', { name: 'Mode: Strict' }).waitFor();
    expect(await start.count()).toBe(0);
    const config = readFileSync(join(web.gateway.home, 'config.json'), 'utf8');
    expect(JSON.parse(config)).toEqual({ model: 'openai/gpt-5' });
    const responseTexts = await Promise.all(bodies);
    expect(responseTexts.filter((body) => body.includes(key) || body.includes(wrong))).toEqual([]);
    expect(web.problems.filter((problem) => !problem.includes('502'))).toEqual([]);
  });
});
