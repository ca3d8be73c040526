// `npm run bench`: measures, and prints one table of ratios; `--json FILE` writes it, too. Nothing here is a test; a figure over its goal is
// marked.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { agentCost } from './agent-cost.ts';
import { callCost } from './call-cost.ts';
import { commandCost } from './command-cost.ts';
import { editCost } from './edit-cost.ts';
import { gatewayLoad } from './gateway-load.ts';
import { gitCost } from './git-cost.ts';
import { growth } from './growth.ts';
import { load } from './load.ts';
import { longWork } from './long-work.ts';
import { lspCost } from './lsp-cost.ts';
import { natsCost } from './nats-cost.ts';
import { natsDecisions } from './nats-decisions.ts';
import { natsScale } from './nats-scale.ts';
import { natsTakeover } from './nats-takeover.ts';
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
  lspCost,
  agentCost,
  socketCost,
  gatewayLoad,
  neighbours,
  parallelEdits,
  load,
  growth,
  longWork,
  natsCost,
  natsDecisions,
  natsScale,
  natsTakeover,
  webCost,
];
const { positionals: chosenNames, values } = parseArgs({
  allowPositionals: true,
  options: { json: { type: 'string' } },
});

console.log(
  `Node ${process.version}, ${process.platform} ${process.arch}; medians; ours and baseline take turns in the same run\n`,
);
const rows: Row[] = [];
const unknown = chosenNames.filter((name) => !benches.some((bench) => bench.name === name));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. There are: ${benches.map(({ name }) => name).join(', ')}`);
  process.exit(2);
}
for (const bench of benches) {
  if (chosenNames.length > 0 && !chosenNames.includes(bench.name)) continue;
  rows.push(...(await bench()));
}
const isMet = ({ ratio, goal }: Row): boolean | undefined => (goal === undefined ? goal : ratio <= goal);
const verdict = (row: Row): string => (row.goal === undefined ? '' : isMet(row) ? 'met' : 'MISSED');
const times = (ratio: number): string => `${ratio < 0.1 ? ratio.toFixed(4) : ratio.toFixed(2)} ×`;
const cells = rows.map((row) => [
  row.name,
  row.ours,
  row.baseline,
  times(row.ratio),
  row.cpuRatio === undefined ? '' : times(row.cpuRatio),
  row.goal === undefined ? '' : `≤ ${row.goal} ×`,
  verdict(row),
]);
const table = [['what', 'ours', 'baseline', 'ratio', 'processor', 'goal', ''], ...cells];
const widths =
  table[0]?.map((_, column) => Math.max(...table.map((line) => line[column]?.length ?? 0))) ?? [];
for (const line of table)
  console.log(
    line
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
if (values.json !== undefined) {
  const { version: node, platform, arch } = process;
  const results = rows.map((row) => ({ ...row, isMet: isMet(row) }));
  writeFileSync(values.json, `${JSON.stringify({ node, platform, arch, rows: results }, undefined, 2)}\n`);
}
