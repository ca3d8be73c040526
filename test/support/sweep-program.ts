// A host in a separate process, for one start: makes the given calls, then reports the log and the answers. Argument: an order as JSON.
// Prints one report as a line of JSON. As a companion it writes a file on request, and as a checker it runs one order after the other,
// until its input ends.
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseJson } from '@codelab/protocol';
import type { Order, Report } from './sweep-order.ts';
import { approveAll, type Workbench, workbench } from './workbench.ts';

const order = parse(process.argv[2] ?? '');
if (order.isChecker) await answerOrders();
else if (order.isCompanion) await accompany();
else await carryOut(order, (report) => process.stdout.write(`${JSON.stringify(report)}\n`));

function parse(text: string): Order {
  return parseJson(text, { bytes: 1e7, depth: 20 }) as Order;
}

async function carryOut(order: Order, printReport: (report: Partial<Report>) => void): Promise<void> {
  using _clock = order.clockMs === undefined ? undefined : moveClock(order.clockMs);
  const bench = await workbench({ folder: order.folder, mode: 'trusted' });
  for (const session of new Set(order.calls.map((call) => call.session ?? 's1')))
    bench.human(approveAll, session);
  const outcomes: Report['outcomes'] = [];
  for (const { tool, args, ...options } of order.calls) outcomes.push(await bench.call(tool, args, options));
  // Where calls fail on purpose, only the answers are certain.
  if (order.isFaulty) printReport({ outcomes });
  const report = order.isFaulty ? undefined : await reportOf(bench, outcomes);
  await bench[Symbol.asyncDispose]();
  if (report !== undefined) printReport(report);
}

/** Each input line is an order, each output line its report, or why there is none. */
async function answerOrders(): Promise<void> {
  for await (const line of createInterface({ input: process.stdin })) {
    const order = parse(line);
    process.env.CODELAB_KEYS = join(order.folder, 'keys');
    let answer: Partial<Report> | { error: string } = { error: 'no report' };
    try {
      await carryOut(order, (report) => {
        answer = report;
      });
    } catch (error) {
      answer = { error: String(error) };
    }
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

async function reportOf({ log }: Workbench, outcomes: Report['outcomes']): Promise<Report> {
  const bodies = (await log.read('s1')).map(({ body }) => body);
  return {
    outcomes,
    started: bodies.flatMap((body) => (body.type === 'call.started' ? [body.callId] : [])),
    finished: bodies.flatMap((body) => (body.type === 'call.finished' ? [body.outcome] : [])),
    sessions: (await log.sessions()).length,
    damage: log.verify(),
  };
}

/** Each input line opens a host at a folder, lets it write again, or closes it; each output line is the result. */
async function accompany(): Promise<void> {
  let bench: Workbench | undefined;
  let written = 0;
  const carryOut: Record<string, (folder: string) => Promise<string>> = {
    async open(folder) {
      process.env.CODELAB_KEYS = join(folder, 'keys');
      bench = await workbench({ folder, mode: 'trusted' });
      bench.human(approveAll, 'companion');
      written = 0;
      return 'ready';
    },
    async write() {
      const args = { path: 'beside/it.txt', content: `beside ${++written}\n` };
      const options = { session: 'companion', id: `beside_${written}` };
      return (await bench?.call('write_file', args, options))?.status ?? 'not open';
    },
    async close() {
      await bench?.[Symbol.asyncDispose]();
      bench = undefined;
      return 'closed';
    },
  };
  for await (const line of createInterface({ input: process.stdin })) {
    const { what, folder } = parseJson(line, { bytes: 1e5, depth: 3 }) as { what: string; folder: string };
    const answer = await carryOut[what]?.(folder).catch(String);
    process.stdout.write(`${JSON.stringify(answer)}\n`);
  }
}

/** Changes the wall clock of the program; the times of files stay correct. */
function moveClock(byMs: number): Disposable {
  const Real = Date;
  const now = (): number => Real.now() + byMs;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
  return {
    [Symbol.dispose]() {
      globalThis.Date = Real;
    },
  };
}
