// A person's own terminal over the API, as a signed-in page has it.
import { expect, onTestFinished, vi } from 'vitest';
import type { GatewayBench } from './gateway-bench.ts';
import type { SignedInPage } from './signed-in-page.ts';
import type { Json } from './web-api.ts';

export const size = { cols: 80, rows: 24 };

export async function get(bench: GatewayBench, page: SignedInPage, path: string): Promise<Json> {
  const headers = { cookie: page.cookie, 'x-codelab-page': page.secret };
  return (await (await fetch(bench.running.url + path, { headers })).json()) as Json;
}

/** All output, once `text` is in it. */
export async function printed(
  bench: GatewayBench,
  page: SignedInPage,
  path: string,
  text: string,
): Promise<string> {
  let all = Buffer.alloc(0);
  for (let cursor = 0; ; ) {
    const answer = await get(bench, page, `${path}/output?cursor=${cursor}&wait_ms=5000`);
    if (answer.error !== undefined) throw new Error(JSON.stringify(answer));
    all = Buffer.concat([all, Buffer.from(String(answer.output), 'base64')]);
    cursor = Number(answer.cursor);
    if (all.includes(text) || answer.status === 'exited') return all.toString('utf8');
  }
}

export async function opened(page: SignedInPage, session: string): Promise<[string, string]> {
  const answer = await page.request('POST', `/api/v1/sessions/${session}/terminals`, size);
  const { terminal_id: id } = (await answer.json()) as Json;
  expect(answer.status).toBe(201);
  return [`/api/v1/sessions/${session}/terminals/${String(id)}`, String(id)];
}

/** A shell that reads none of the tester's settings. */
export function plainShell(): void {
  vi.stubEnv('SHELL', '/bin/sh');
  onTestFinished(() => void vi.unstubAllEnvs());
}
