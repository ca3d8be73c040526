// Runs calls one after the other in a separate process and approves everything. Reads a JSON object {folder, calls: [{tool, args}]} and
// prints each outcome as one line of JSON.
import { readFileSync } from 'node:fs';
import { parseJson } from '@codelab/protocol';
import { approveAll, workbench } from './workbench.ts';

type Order = { folder: string; calls: { tool: string; args: Record<string, unknown> }[] };

const { folder, calls } = parseJson(readFileSync(0, 'utf8'), { bytes: 1e7, depth: 20 }) as Order;
await using bench = await workbench({ folder, mode: 'trusted' });
bench.human(approveAll);
const run = String(process.pid);
for (const [n, { tool, args }] of calls.entries()) {
  const outcome = await bench.call(tool, args, { id: `${run}_${n}` });
  process.stdout.write(`${JSON.stringify(outcome)}\n`);
}
