// Scrolling through a review of 4,000 lines. The machine may be busy with other things, so a frame is judged by the processor time that the
// page's main thread spent on it, as Chromium's tracing tells it, and not by the clock.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCall } from '@codelab/runtime';
import type { Running } from '@codelab/server/gateway';
import type { Browser, Page } from 'playwright-core';
import { openPage, until } from './open-page.ts';

const files = 10;
const linesOfFile = 400;
const steps = 400;
const longMs = 50;

export type ReviewFrames = {
  frames: number;
  over: number;
  medianMs: number;
  longestMs: number;
  lines: number;
};

export async function reviewFrames(browser: Browser, gateway: Running, root: string): Promise<ReviewFrames> {
  const session = await changeFiles(gateway, root);
  const page = await openPage(browser, gateway, { hash: `#/${session}` });
  await page.keyboard.press('Escape');
  await page.locator('body').press('g');
  await page.locator('body').press('r');
  await page.locator('[data-review-list]').waitFor();
  await page.locator('[data-review-list] .bg-added').first().waitFor();
  const devtools = await browser.newBrowserCDPSession();
  const events: TraceEvent[] = [];
  devtools.on(
    'Tracing.dataCollected',
    ({ value }) => void events.push(...(value as unknown as TraceEvent[])),
  );
  await devtools.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['disabled-by-default-devtools.timeline'] },
  });
  await scrollThrough(page);
  const ended = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await ended;
  await page.context().close();
  return { ...judge(events), lines: files * linesOfFile };
}

/** Wheel turns of 120 pixels, a frame apart, from the first line to the last and back. */
async function scrollThrough(page: Page): Promise<void> {
  const box = await page.locator('[data-review-list]').boundingBox();
  await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 200);
  for (let step = 0; step < steps; step++) {
    await page.mouse.wheel(0, step < steps / 2 ? 480 : -480);
    await until(page, 'true');
  }
}

type TraceEvent = {
  name: string;
  pid: number;
  tid: number;
  ts: number;
  dur?: number;
  tdur?: number;
  args?: { name?: unknown };
};

/** A frame ends with the task that commits it; all that the thread did since the last one belongs to it. */
function judge(events: readonly TraceEvent[]): Omit<ReviewFrames, 'lines'> {
  const main = busiest(events);
  const ofPage = (eventName: string): TraceEvent[] =>
    main.filter(({ name }) => name === eventName).toSorted((a, b) => a.ts - b.ts);
  const [commits, tasks] = [ofPage('Commit'), ofPage('RunTask')];
  const frames: number[] = [];
  let workMs = 0;
  let at = 0;
  for (const { ts, dur = 0, tdur = 0 } of tasks) {
    workMs += tdur / 1000;
    const commit = commits[at];
    if (commit === undefined || commit.ts > ts + dur) continue;
    frames.push(workMs);
    workMs = 0;
    at++;
  }
  return {
    frames: frames.length,
    over: frames.filter((ms) => ms > longMs).length,
    medianMs: frames.toSorted((a, b) => a - b)[Math.floor(frames.length / 2)] ?? Number.NaN,
    longestMs: Math.max(...frames),
  };
}

/** The events of the main thread that worked most: that of the page which is scrolled. */
function busiest(events: readonly TraceEvent[]): TraceEvent[] {
  const mains = events.filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain');
  const workOf = (traceEvents: readonly TraceEvent[]): number =>
    traceEvents.reduce((sum, { tdur = 0 }) => sum + tdur, 0);
  const threads = mains.map(({ pid, tid }) =>
    events.filter((event) => event.pid === pid && event.tid === tid),
  );
  return threads.toSorted((a, b) => workOf(b) - workOf(a))[0] ?? [];
}

/** Every third line of every file is another one: 4,000 lines of diff, half of them removed and added, half unchanged. */
async function changeFiles({ gateway }: Running, root: string): Promise<string> {
  const session = 'reviewed';
  const text = (isNew: boolean): string =>
    Array.from(
      { length: (linesOfFile * 3) / 4 },
      (_, i) =>
        `export function step${i}(input: string): number { return input.length * ${isNew && i % 3 === 1 ? i + 1 : i}; } // ${i}\n`,
    ).join('');
  for (let file = 0; file < files; file++) {
    const path = `src${file}.ts`;
    writeFileSync(join(root, path), text(false));
    const call = {
      id: `w${file}`,
      session,
      tool: 'write_file',
      args: { path, content: text(true) },
      dialect: 'codelab',
    } as const;
    const outcome = await runCall(gateway.host, call);
    if (outcome.status !== 'completed') throw new Error(outcome.error.message);
  }
  return session;
}
