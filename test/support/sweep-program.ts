// A host in a process of its own, for one start: makes the calls it is given, then says what the log and the answers are.
// Argument: an order as JSON. Prints one report as a line of JSON; with `companion` it writes a file again and again until its input ends.
import { parseJson } from '@codelab/protocol';
import type { Order, Report } from './sweep-order.ts';
import { approveAll, type Workbench, workbench } from './workbench.ts';

const order = parseJson(process.argv[2] ?? '', { bytes: 1e7, depth: 20 }) as Order;
if (order.clockMs !== undefined) moveClock(order.clockMs);
const bench = await workbench({ folder: order.folder, mode: 'trusted' });
for (const session of new Set(order.calls.map((call) => call.session ?? 's1')))
  bench.human(approveAll, session);
if (order.isCompanion) await accompany(bench);
const outcomes: Report['outcomes'] = [];
for (const { tool, args, ...more } of order.calls) outcomes.push(await bench.call(tool, args, more));
// Where calls fail on purpose, the answer is all that can be had for certain.
if (order.isFaulty) process.stdout.write(`${JSON.stringify({ outcomes })}\n`);
const report = order.isFaulty ? undefined : await look(bench);
await bench[Symbol.asyncDispose]();
if (report !== undefined) process.stdout.write(`${JSON.stringify(report)}\n`);

async function look({ log }: Workbench): Promise<Report> {
  const bodies = (await log.read('s1')).map(({ body }) => body);
  return {
    outcomes,
    started: bodies.flatMap((body) => (body.type === 'call.started' ? [body.callId] : [])),
    finished: bodies.flatMap((body) => (body.type === 'call.finished' ? [body.outcome] : [])),
    sessions: (await log.sessions()).length,
    damage: log.verify(),
  };
}

/** Somebody else at work in the same workspace: each line that comes in is one write, each line that goes out its outcome. */
async function accompany({ call }: Workbench): Promise<void> {
  bench.human(approveAll, 'companion');
  process.stdout.write('"ready"\n');
  let written = 0;
  for await (const chunk of process.stdin) {
    for (const _line of String(chunk).trim().split('\n')) {
      const args = { path: 'beside/it.txt', content: `beside ${++written}\n` };
      const { status } = await call('write_file', args, { session: 'companion', id: `beside_${written}` });
      process.stdout.write(`${JSON.stringify(status)}\n`);
    }
  }
}

/** Only the wall clock as the program asks for it; times of files stay true. */
function moveClock(byMs: number): void {
  const Real = Date;
  const now = (): number => Real.now() + byMs;
  globalThis.Date = new Proxy(Real, {
    construct: (target, args) => Reflect.construct(target, args.length === 0 ? [now()] : args),
    get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
  });
}
