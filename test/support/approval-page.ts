// Approvals as the web IDE shows them: calls that wait for a human, and the cards on which one answers.
import type { Locator, Page } from 'playwright-core';
import type { PageBench } from './page-bench.ts';

type Json = Record<string, unknown>;

export type Asked = [tool: string, args: Json];

export function card(page: Page): Locator {
  return page.locator('[data-approval]');
}

/** Waits until the page accepts answers: it ignores clicks that come too early to be deliberate. */
export async function ready(page: Page): Promise<void> {
  await card(page).first().locator('button[aria-disabled="false"]').first().waitFor();
}

export function callOf([tool, args]: Asked): Json {
  return { tool, args };
}

export async function post(web: PageBench, path: string, body: Json): Promise<Json> {
  const answer = await web.gateway.request(`/api/v1${path}`, { method: 'POST', body: JSON.stringify(body) });
  return (await answer.json()) as Json;
}

/** Makes a call that waits for a human. */
export function ask(web: PageBench, id: string, request: Asked): { ended: Promise<Json> } {
  const ended = post(web, `/sessions/${id}/calls`, callOf(request));
  // Some wait until the gateway ends, when nothing listens any more.
  ended.catch(() => undefined);
  return { ended };
}

export async function openWithApproval(
  web: PageBench,
  request: Asked,
  viewport = { width: 1280, height: 800 },
): Promise<{ page: Page; id: string; ended: Promise<Json> }> {
  const id = await web.session('Asking');
  const { ended } = ask(web, id, request);
  return { page: await web.open({ session: id, viewport }), id, ended };
}

export function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
