// How much the page's heap grows while an agent works: a page that stays open while steps come in, measured after a collection.
import type { EventBody } from '@codelab/protocol';
import type { Running } from '@codelab/server/gateway';
import type { Browser, CDPSession } from 'playwright-core';
import { openPage, until } from './open-page.ts';

/** Until older sections are unloaded, and V8 has compiled what it compiles. */
const warmUp = 1000;
const measured = 1000;

export type HeapGrowth = { startBytes: number; bytesPerStep: number; steps: number };
type Growing = { session: string; workspace: string; stepsOfTurn: number };

/** With so many steps in each turn. */
export async function heapGrowth(
  browser: Browser,
  gateway: Running,
  { session, workspace, stepsOfTurn }: Growing,
): Promise<HeapGrowth> {
  const { log } = gateway.gateway.host;
  let seq = 0;
  const append = async (bodies: EventBody[]): Promise<void> => {
    seq = (await log.append(session, bodies, { expected: seq })).at(-1)?.seq ?? seq;
  };
  await append([{ type: 'session.opened', workspace, title: 'Growing' }]);
  const devtools: CDPSession[] = [];
  const page = await openPage(browser, gateway, {
    hash: `#/${session}`,
    prepare: async (opened) => void devtools.push(opened),
  });
  const sizeAt = async (step: number): Promise<number> => {
    await until(page, `document.querySelector('[role=log]')?.textContent.includes('Read part ${step - 1}.')`);
    return await heapOf(devtools[0]);
  };
  let startBytes = Number.NaN;
  for (let step = 0; step < warmUp + measured; step += stepsOfTurn) {
    if (step === warmUp) startBytes = await sizeAt(step);
    // A turn that nobody runs would be ended by the gateway: it is appended whole.
    await append(turnOf({ step, session, stepsOfTurn }));
  }
  const endBytes = await sizeAt(warmUp + measured);
  await page.context().close();
  return { startBytes, bytesPerStep: (endBytes - startBytes) / measured, steps: measured };
}

type Turn = { step: number; session: string; stepsOfTurn: number };

function turnOf({ step, session, stepsOfTurn }: Turn): EventBody[] {
  const turn = step / stepsOfTurn + 1;
  const steps = Array.from({ length: stepsOfTurn }, (_, nth) => stepOf({ step: step + nth, session, turn }));
  return [
    { type: 'turn.started', turn, text: 'Read on', model: 'm', profile: 'build' },
    ...steps.flat(),
    { type: 'turn.ended', turn, end: 'completed' },
  ];
}

async function heapOf(devtools: CDPSession | undefined): Promise<number> {
  // Memory that finalizers release is collected only by the next collection.
  for (let round = 0; round < 3; round++) await devtools?.send('HeapProfiler.collectGarbage');
  return (await devtools?.send('Runtime.getHeapUsage'))?.usedSize ?? Number.NaN;
}

/** As an agent's step is recorded: what it says, and a call that reads 100 lines. */
function stepOf({ step, session, turn }: { step: number; session: string; turn: number }): EventBody[] {
  const id = `call_${step}`;
  const args = { path: `src/file-${step}.ts` };
  const reply = {
    model: 'm',
    text: `Read part ${step}.`,
    calls: [{ id, tool: 'read_file', args }],
    usage: { inputTokens: 1200, outputTokens: 80 },
    stop: 'calls' as const,
  };
  const content = Array.from(
    { length: 100 },
    (_, line) => `export const value${step}_${line} = ${line};\n`,
  ).join('');
  return [
    { type: 'model.replied', turn, reply },
    { type: 'call.received', call: { id, session, tool: 'read_file', args, turn, dialect: 'agent' } },
    {
      type: 'call.planned',
      callId: id,
      plan: {
        summary: `Read ${args.path}`,
        risk: 'low',
        riskReason: 'It only reads.',
        touches: [{ asked: args.path, path: args.path, access: 'read' }],
        notes: [],
        basis: [{ path: args.path, print: `print of ${args.path}` }],
      },
      verdict: {
        verdict: 'allow',
        risk: 'low',
        rule: 'default:read',
        layer: 'built-in',
        reason: 'Reading is allowed.',
        parts: [],
      },
    },
    {
      type: 'call.finished',
      callId: id,
      turn,
      outcome: {
        status: 'completed',
        callId: id,
        tool: 'read_file',
        startedAt: Date.now(),
        durationMs: 3,
        data: { path: args.path, content },
        effects: [],
      },
    },
  ];
}
