// The growth of the page's heap while an agent works: a page that stays open while steps arrive, measured after a collection and without the code
// that V8 compiles.
import type { EventBody } from '@codelab/protocol';
import type { Running } from '@codelab/server/gateway';
import type { Browser, CDPSession } from 'playwright-core';
import { openPage, until } from './open-page.ts';

/** Until older sections are unloaded. */
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
    const [opened] = devtools;
    return opened === undefined ? Number.NaN : await heapOf(opened);
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

/** Code that V8 compiled and the DOM do not count as kept by the page. */
const notKept = new Set(['code', 'native']);

async function heapOf(devtools: CDPSession): Promise<number> {
  // Memory that finalizers release is collected only by the next collection.
  for (let round = 0; round < 3; round++) await devtools.send('HeapProfiler.collectGarbage');
  const chunks: string[] = [];
  const hear = ({ chunk }: { chunk: string }): void => void chunks.push(chunk);
  devtools.on('HeapProfiler.addHeapSnapshotChunk', hear);
  await devtools.send('HeapProfiler.takeHeapSnapshot', { reportProgress: false });
  devtools.off('HeapProfiler.addHeapSnapshotChunk', hear);
  const { snapshot, nodes } = JSON.parse(chunks.join('')) as HeapSnapshot;
  const { node_fields: fields, node_types: types } = snapshot.meta;
  const [type, size] = [fields.indexOf('type'), fields.indexOf('self_size')];
  let bytes = 0;
  for (let at = 0; at < nodes.length; at += fields.length)
    if (!notKept.has(types[0][nodes[at + type] ?? 0] ?? '')) bytes += nodes[at + size] ?? 0;
  return bytes;
}

/** Chromium's format: the nodes as one flat list, with one number for each field. */
type HeapSnapshot = {
  snapshot: { meta: { node_fields: string[]; node_types: [string[]] } };
  nodes: number[];
};

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
