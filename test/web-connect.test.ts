// The page where no model is chosen, in a real browser: a provider is picked, its key is tried, and the model is there at once.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { barriers } from './support/barriers.ts';
import { noBrowser } from './support/browser.ts';
import { json, modelServer } from './support/model-server.ts';
import { notBuilt, pageBench } from './support/page-bench.ts';

const key = 'sk-right-0123456789';
const wrong = 'sk-wrong-0123456789';
const nobody = 'http://127.0.0.1:9';
const local = { LMSTUDIO_BASE_URL: nobody, LLAMACPP_BASE_URL: nobody, VLLM_BASE_URL: nobody };

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('without a model', () => {
  test('the page asks to connect one, tries the key, and chooses the model at once', async () => {
    await using server = await modelServer(({ path, headers }) =>
      path.startsWith('/ollama/') || headers.authorization === `Bearer ${key}`
        ? json({ data: [{ id: 'small' }, { id: 'gpt-5' }] })
        : json({ error: { message: `bad key ${headers.authorization}` } }, 401),
    );
    const env = { ...local, OPENAI_BASE_URL: `${server.url}/v1`, OLLAMA_HOST: `${server.url}/ollama` };
    await using web = await pageBench({ env });
    const page = await web.open();
    const bodies: Promise<string>[] = [];
    page.on('response', (response) => bodies.push(response.text().catch(() => '')));
    const connect = page.getByRole('region', { name: 'Connect a model' });
    // What runs on this machine comes first, and needs nothing.
    await expect
      .poll(() => connect.getByRole('group').getByRole('button').first().textContent())
      .toMatch(/^Ollama/);
    expect(await barriers(page)).toEqual([]);
    await connect.getByRole('button', { name: 'OpenAI', exact: true }).click();
    const field = connect.getByLabel('Key for OpenAI');
    expect(await field.getAttribute('type')).toBe('password');
    await field.fill(wrong);
    await connect.getByRole('button', { name: 'Test and connect' }).click();
    await connect.getByRole('alert').getByText('answered 401').waitFor();
    expect(await page.getByText(wrong).count()).toBe(0);
    await field.fill(key);
    await connect.getByRole('button', { name: 'Test and connect' }).click();
    await connect.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Model: gpt-5' }).waitFor();
    await page.getByText('You could say').waitFor();
    const config = readFileSync(join(web.gateway.home, 'config.json'), 'utf8');
    expect(JSON.parse(config)).toEqual({ model: 'openai/gpt-5' });
    const said = await Promise.all(bodies);
    expect(said.filter((body) => body.includes(key) || body.includes(wrong))).toEqual([]);
    expect(web.problems.filter((problem) => !problem.includes('502'))).toEqual([]);
  });
});
