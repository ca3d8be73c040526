// A workbench whose workspace is a repository with one commit, the real git beside it.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Outcome, PolicyMode } from '@codelab/protocol';
import { newRepository, type RealGit } from './real-git.ts';
import { approveAll, type Human, type Workbench, workbench } from './workbench.ts';

export type GitBench = Workbench & { git: RealGit; writeText(path: string, text: string): void };

type Options = { files?: Record<string, string>; human?: Human; mode?: PolicyMode };

export async function gitBench(options: Options = {}): Promise<GitBench> {
  const { files = { 'a.txt': 'one\n', 'b.txt': 'one\n' }, human = approveAll, mode } = options;
  const bench = await workbench({ files, ...(mode && { mode }) });
  const git = newRepository(bench.root);
  git('add', '.');
  git('commit', '--quiet', '--allow-empty', '-m', 'first');
  bench.human(human);
  const writeText = (path: string, text: string): void => {
    mkdirSync(dirname(join(bench.root, path)), { recursive: true });
    writeFileSync(join(bench.root, path), text);
  };
  return Object.assign(bench, { git, writeText });
}

/** The data of a call that must succeed. */
export function dataOf(outcome: Outcome): Record<string, unknown> {
  if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome.error));
  return outcome.data;
}
