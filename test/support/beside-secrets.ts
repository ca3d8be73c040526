// A workspace with a sentinel tree beside it and a human who approves everything: every refusal is then by the tool itself.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { codeOf } from './code-of.ts';
import { doorsTo } from './doors.ts';
import { treeState } from './tree-state.ts';
import { approveAll, type Workbench, workbench } from './workbench.ts';

const secret = 'THE SECRET OUTSIDE\n';
const files = { 'a.txt': 'inside\n', 'spare.txt': 'spare\n', 'src/a.js': '1\n', 'src/b.js': '2\n' };

export async function besideSecrets(extraFiles: Record<string, string> = {}): Promise<Workbench> {
  const bench = await workbench({ files: { ...files, ...extraFiles }, mode: 'trusted' });
  for (const path of ['secret', 'outside/secret.txt', 'etc/passwd']) {
    mkdirSync(join(bench.folder, dirname(path)), { recursive: true });
    writeFileSync(join(bench.folder, path), secret);
  }
  bench.human(approveAll);
  return bench;
}

/** The workspace and everything beside it that must not be reached; all but the state folder. */
export function everything(bench: Workbench): Record<string, string> {
  const state = Object.entries(treeState(bench.folder));
  return Object.fromEntries(state.filter(([path]) => path !== '.' && !/^home(\/|$)/.test(path)));
}

/** Files that must not be reached. */
export function outsideOf(bench: Workbench): Record<string, string> {
  return Object.fromEntries(Object.entries(everything(bench)).filter(([path]) => !/^work(\/|$)/.test(path)));
}

/** The different answers of all doors; nothing may change anywhere and no answer may hold anything from outside. */
export async function refusals(
  bench: Workbench,
  path: string,
  isWanted: (door: string) => boolean = () => true,
): Promise<string[]> {
  const before = everything(bench);
  const answers = new Set<string>();
  for (const { door, tool, args } of doorsTo(path, 'spare.txt').filter((entry) => isWanted(entry.door))) {
    const outcome = await bench.call(tool, args);
    expect(JSON.stringify(outcome)).not.toMatch(/THE SECRET|root:x:/);
    expect(everything(bench), door).toEqual(before);
    answers.add(codeOf(outcome));
  }
  return [...answers];
}
