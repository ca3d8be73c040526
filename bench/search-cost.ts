// The cost that policy, log and order add to searching a large tree, against ripgrep started by a bare Node program. The least for it is
// ripgrep with the arguments of the call, and its record.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findRipgrep, runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { openBareRecord } from './least/bare-record.ts';
import { programNamed, runBare, tracesOf, upTo } from './least/traces.ts';
import { costRow, costs } from './measure.ts';
import type { Row } from './row.ts';
import { scratch } from './scratch.ts';

const rare = 'a_name_that_stands_in_two_files';
const common = 'const';

export async function searchCost(): Promise<Row[]> {
  using place = scratch();
  makeTree(place.root);
  await using composed = await compose({ workspace: place.root, home: place.home, env: {} });
  const program = (await findRipgrep(place.root)) ?? 'rg';
  let calls = 0;
  const ours = async (query: string, max_results: number): Promise<void> => {
    const outcome = await runCall(composed.host, {
      id: `s${calls++}`,
      session: 'bench',
      tool: 'search_in_project',
      args: { query, max_results, case_sensitive: true },
      dialect: 'codelab',
    });
    if (outcome.status !== 'completed') throw new Error(outcome.error.message);
    const { length } = outcome.data.matches as unknown[];
    if (length !== (query === rare ? 2 : max_results)) throw new Error(`${length} matches`);
  };
  const measure = async (name: string, query: string, most: number, rounds: number): Promise<Row[]> => {
    await ours(query, most);
    const traces = await tracesOf(composed.host.log, 'bench', () => ours(query, most));
    const same = programNamed(traces, 'rg', 'rg.exe');
    const record = openBareRecord(place.folder, traces.bodies);
    const least = async (): Promise<void> => {
      // One more than is shown says whether there are more.
      await runBare(same, place.root, upTo(most + 1));
      record.end();
    };
    const bare = (): Promise<void> => runBare({ file: program, args: [query] }, place.root, upTo(most));
    const [mine, lowest, baseline] = await costs([() => ours(query, most), least, bare], rounds);
    const against = query === rare ? 'rg' : `rg, ended at ${most}`;
    return [
      costRow(name, against, [mine, baseline], query === rare ? 1 : 1.1),
      costRow('  least: rg with our arguments, the record', against, [lowest, baseline]),
    ];
  };
  return [
    ...(await measure('search 20,800 files, rare pattern', rare, 100, 25)),
    ...(await measure('search, common pattern, 100 results', common, 100, 60)),
    ...(await measure('search, common pattern, 1000 results', common, 1000, 60)),
  ];
}

/** 400 folders of 52 files; the same every time. */
function makeTree(root: string): void {
  const words = [
    'alpha',
    'beta',
    'const',
    'return',
    'import',
    'function',
    'value',
    'stream',
    'buffer',
    'index',
  ];
  let state = 1;
  const below = (n: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return Math.floor((state / 0x80000000) * n);
  };
  for (let n = 0; n < 20_800; n++) {
    const folder = join(root, `package-${Math.floor(n / 1040)}`, `module-${Math.floor(n / 52) % 20}`);
    if (n % 52 === 0) mkdirSync(folder, { recursive: true });
    const lines = Array.from({ length: 20 + below(120) }, () =>
      Array.from({ length: 7 }, () => words[below(words.length)]).join(' '),
    );
    if (n === 7_777 || n === 15_000) lines.push(rare);
    writeFileSync(join(folder, `file-${n % 52}.ts`), `${lines.join('\n')}\n`);
  }
}
