// The growth of the page's heap while an agent works: a page that stays open while steps arrive, measured after a collection.
import type { EventBody } from '@codelab/protocol';
import type { Running } from '@codelab/server/gateway';
import type { Browser, CDPSession } from 'playwright-core';
import { openPage, until } from './open-page.ts';

const batch = 100;
const batches = 12;
/** Until the window of rendered steps is full, and V8 has compiled the hot code. */
const warmUp = 2;

export type HeapGrowth = { startBytes: number; bytesPerStep: number; steps: number; sizes: number[] };

export async function heapGrowth(browser: Browser, gateway: Running, workspace: string): Promise<HeapGrowth> {
  const { log } = gateway.gateway.host;
  const session = 'growing';
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
  const sizes: number[] = [];
  for (let at = 0; at < batches; at++) {
    const turn = at + 1;
    // The gateway would end a turn that no process runs, so it is appended whole.
    await append([
      { type: 'turn.started', turn, text: 'Read on', model: 'm', profile: 'build' },
      ...Array.from({ length: batch }, (_, step) =>
        stepOf({ step: at * batch + step, session, turn }),
      ).flat(),
      { type: 'turn.ended', turn, end: 'completed' },
    ]);
    await until(
      page,
      `document.querySelector('[role=log]')?.textContent.includes('Read part ${(at + 1) * batch - 1}.')`,
    );
    sizes.push(await heapOf(devtools[0]));
  }
  await page.context().close();
  const [start = Number.NaN] = sizes.slice(warmUp - 1);
  const steps = (batches - warmUp) * batch;
  return { startBytes: start, bytesPerStep: ((sizes.at(-1) ?? Number.NaN) - start) / steps, steps, sizes };
}

async function heapOf(devtools: CDPSession | undefined): Promise<number> {
  // Memory that finalizers release is collected only by the next collection.
  for (let round = 0; round < 3; round++) await devtools?.send('HeapProfiler.collectGarbage');
  return (await devtools?.send('Runtime.getHeapUsage'))?.usedSize ?? Number.NaN;
}

/** The entries of one agent step: its text, and a call that reads 100 lines. */
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
