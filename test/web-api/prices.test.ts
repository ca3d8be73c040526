// Prices of models from a screen.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type HttpBench, httpBench } from '../support/http-bench.ts';
import type { Json } from '../support/web-api.ts';

async function putSettings(http: HttpBench, body: unknown): Promise<[number, Json]> {
  const answer = await fetch(`${http.url}/api/v1/settings`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${http.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return [answer.status, (await answer.json()) as Json];
}

test('the price of a model is kept where `codelab model add` keeps it, and can be removed', async () => {
  await using http = await httpBench();
  const price = { input: 0.5, output: 1.5 };
  const first = await putSettings(http, {
    prices: { 'openai/gpt-x': price },
    keys: { openai: 'sk-0123456789' },
    model: 'openai/gpt-x',
  });
  expect(first).toMatchObject([200, { price: { ...price, is_own: true } }]);
  const file = join(http.bench.home, 'config.json');
  const storedProviders = (): unknown => (JSON.parse(readFileSync(file, 'utf8')) as Json).providers;
  expect(storedProviders()).toEqual({ openai: { models: { 'gpt-x': { price } } } });
  // A published price counts where there is none of one's own.
  expect(await putSettings(http, { model: 'openai/gpt-5' })).toMatchObject([
    200,
    { price: { input: 1.25, output: 10, is_own: false } },
  ]);
  expect(await putSettings(http, { model: 'openai/gpt-x', prices: { 'openai/gpt-x': null } })).toMatchObject([
    200,
    { price: null },
  ]);
  for (const prices of [
    { 'openai/gpt-x': { input: -1, output: 1 } },
    { 'openai/gpt-x': { input: 1 } },
    { 'gpt-x': price },
    { 'openai/': price },
    { 'nobody/x': price },
  ])
    expect((await putSettings(http, { prices }))[0]).toBe(400);
});
