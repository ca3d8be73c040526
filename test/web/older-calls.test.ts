// A page that stays open lets go of what older calls brought, and has it again wherever somebody looks.
import type { EventBody } from '@codelab/protocol';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { noBrowser } from '../support/browser.ts';
import { notBuilt, type PageBench, pageBench } from '../support/page-bench.ts';

const steps = 160;

describe.skipIf((noBrowser ?? notBuilt) !== undefined)('older calls', () => {
  let web: PageBench;
  let page: Page;
  beforeAll(async () => {
    web = await pageBench();
    const { log } = web.gateway.running.gateway.host;
    const opened: EventBody = { type: 'session.opened', workspace: web.gateway.root, title: 'Long' };
    const startedEvent: EventBody = {
      type: 'turn.started',
      turn: 1,
      text: 'Go',
      model: 'm',
      profile: 'build',
    };
    const ended: EventBody = { type: 'turn.ended', turn: 1, end: 'completed' };
    const calls = Array.from({ length: steps }, (_, step) => callOf(step)).flat();
    await log.append('long', [opened, startedEvent, ...calls, ended], { expected: 0 });
    page = await web.open({ session: 'long' });
    await page
      .getByRole('log')
      .getByText(`Run echo step ${steps - 1}`)
      .waitFor();
  });
  afterAll(async () => {
    await web[Symbol.asyncDispose]();
  });

  test('are read from the log again when one is unfolded', async () => {
    await page.getByRole('log').focus();
    await page.keyboard.press('Home');
    const card = page.locator('[data-call="call_2"]');
    await card.getByText('4 passed').waitFor();
    const logResponse = page.waitForResponse((answer) => answer.url().includes('/log?since='));
    await card.getByRole('button').first().click();
    expect(new URL((await logResponse).url()).searchParams.get('since')).toBe('8');
    await card.getByText('changed by 2').waitFor();
  });

  test('are found by what they printed', async () => {
    await page.keyboard.press('Control+f');
    await page.getByRole('searchbox', { name: 'Find in the conversation' }).fill('needle of 7 in');
    await page.getByRole('search').getByText('1 of 1').waitFor();
    await page.locator('[data-call="call_7"]').waitFor();
    await page.keyboard.press('Escape');
  });

  test('are exported with what they changed', async () => {
    const field = page.getByRole('textbox', { name: 'Message to the agent' });
    await field.fill('/export');
    const saved = page.waitForEvent('download');
    await field.press('Enter');
    const chunks: Buffer[] = [];
    for await (const chunk of await (await saved).createReadStream()) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString('utf8');
    expect(text.match(/^\+changed by \d+$/gm)).toHaveLength(steps);
    expect(web.problems).toEqual([]);
  });
});

function callOf(step: number): EventBody[] {
  const id = `call_${step}`;
  const line = `echo step ${step}`;
  const args = { command: line };
  const stdout = `needle of ${step} in a haystack\n${'hay '.repeat(400)}\n# tests 4\n# pass 4\n# fail 0\n`;
  return [
    {
      type: 'call.received',
      call: { id, session: 'long', tool: 'run_command', args, turn: 1, dialect: 'agent' },
    },
    {
      type: 'call.planned',
      callId: id,
      plan: {
        summary: `Run ${line}`,
        risk: 'low',
        riskReason: 'It only prints.',
        touches: [],
        notes: [],
        diff: {
          text: `--- a/${step}.txt\n+++ b/${step}.txt\n@@ -1 +1 @@\n-old\n+changed by ${step}\n`,
          additions: 1,
          deletions: 1,
          hunks: 1,
          truncated: false,
        },
        basis: [],
      },
      verdict: { verdict: 'allow', risk: 'low', rule: 'r', layer: 'user', reason: 'Allowed.', parts: [] },
    },
    {
      type: 'call.finished',
      callId: id,
      turn: 1,
      outcome: {
        status: 'completed',
        callId: id,
        tool: 'run_command',
        startedAt: 1,
        durationMs: 3,
        data: { exit_code: 0, stdout },
        effects: [],
      },
    },
  ];
}
