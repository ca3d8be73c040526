// Runs one call in a separate process and approves everything, so that a test can kill it at any moment. Arguments: a JSON object {folder,
// call: {id, tool, args}}. Prints the outcome as one line of JSON.
import { parseJson } from '@codelab/protocol';
import { approveAll, workbench } from './workbench.ts';

type Order = { folder: string; call: { id: string; tool: string; args: Record<string, unknown> } };

const { folder, call } = parseJson(process.argv[2] ?? '', { bytes: 1e7, depth: 20 }) as Order;
const bench = await workbench({ folder });
bench.human(approveAll);
const outcome = await bench.call(call.tool, call.args, { id: call.id });
await bench[Symbol.asyncDispose]();
process.stdout.write(`${JSON.stringify(outcome)}\n`);
