// `npm run bench`: measures, and prints one table of ratios. Nothing here is a test; a figure over its goal is marked.
import { agentCost } from './agent-cost.ts';
import { callCost } from './call-cost.ts';
import { commandCost } from './command-cost.ts';
import { editCost } from './edit-cost.ts';
import { gatewayLoad } from './gateway-load.ts';
import { gitCost } from './git-cost.ts';
import { load } from './load.ts';
import { neighbours } from './neighbours.ts';
import { packageCost } from './package-cost.ts';
import { parallelEdits } from './parallel-edits.ts';
import { patchCost } from './patch-cost.ts';
import type { Row } from './row.ts';
import { searchCost } from './search-cost.ts';
import { socketCost } from './socket-cost.ts';
import { startUp } from './start-up.ts';
import { webCost } from './web-cost.ts';

const benches = [
  startUp,
  packageCost,
  callCost,
  editCost,
  patchCost,
  commandCost,
  gitCost,
  searchCost,
  agentCost,
  socketCost,
  gatewayLoad,
  neighbours,
  parallelEdits,
  load,
  webCost,
];
const wanted = process.argv.slice(2);

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}; medians; ours and baseline take turns in the same run\n`,
);
const rows: Row[] = [];
for (const bench of benches) {
  if (wanted.length > 0 && !wanted.includes(bench.name)) continue;
  rows.push(...(await bench()));
}
const cells = rows.map((row) => [
  row.name,
  row.ours,
  row.baseline,
  `${row.ratio < 0.1 ? row.ratio.toFixed(4) : row.ratio.toFixed(2)} ×`,
  `≤ ${row.goal} ×`,
  row.ratio <= row.goal ? 'met' : 'MISSED',
]);
const table = [['what', 'ours', 'baseline', 'ratio', 'goal', ''], ...cells];
const widths =
  table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
for (const line of table)
  console.log(
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
