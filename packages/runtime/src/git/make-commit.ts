// Makes the commit that was planned, and says what it holds.
import type { RunContext } from '../tool/define-tool.ts';
import { pathSpecs } from './path-specs.ts';
import type { PreparedCommit } from './plan-commit.ts';
import { emptyTree, readHead } from './read-head.ts';
import { mustGit } from './run-git.ts';
import { takeTurns } from './take-turns.ts';

type Committed = {
  hash: string;
  branch: string | null;
  files_committed: number;
  insertions: number;
  deletions: number;
};

const reportMs = 10_000;
// There may be more names than a command line holds.
const fromInput = ['--pathspec-from-file=-', '--pathspec-file-nul'] as const;

export async function makeCommit(prepared: PreparedCommit, context: RunContext): Promise<Committed> {
  const { workspace } = context;
  await takeTurns(workspace.root.real, () => commit(prepared, context));
  // Cancelled or not: it is done, and told.
  const signal = AbortSignal.timeout(reportMs);
  const { branch, commit: hash = '' } = await readHead(workspace, signal);
  const parent = prepared.before.commit ?? (await emptyTree(workspace, signal));
  const { stdout } = await mustGit({
    workspace,
    signal,
    args: ['diff-tree', '-r', '-z', '-M', '--numstat', parent, hash],
  });
  return { hash, branch, ...countNumbers(stdout.toString()) };
}

async function commit({ message, files, unknown }: PreparedCommit, context: RunContext): Promise<void> {
  const { workspace, signal } = context;
  const shared = { workspace, signal, isChange: true } as const;
  const places = files === undefined ? [] : ['--only', '--', ...pathSpecs(workspace, files)];
  const announced = pathSpecs(workspace, unknown).join('\0');
  // Git commits by name only what it knows; the names alone are enough.
  if (unknown.length > 0)
    await mustGit({ ...shared, args: ['add', '--intent-to-add', ...fromInput], input: announced });
  try {
    await mustGit({
      ...shared,
      args: ['commit', '--quiet', '--no-verify', '--no-status', '--cleanup=verbatim', '--file=-', ...places],
      input: message,
    });
  } catch (error) {
    if (unknown.length > 0) await forget(context, announced);
    throw error;
  }
}

async function forget({ workspace }: RunContext, announced: string): Promise<void> {
  const args = ['rm', '--cached', '--quiet', '--ignore-unmatch', ...fromInput] as const;
  // Whatever stopped the commit is what the caller must hear.
  await mustGit({
    workspace,
    signal: AbortSignal.timeout(reportMs),
    args,
    input: announced,
    isChange: true,
  }).catch(() => undefined);
}

// `added<TAB>deleted<TAB>path`; `-` for binary files; a rename leaves the path empty and has both names behind it.
function countNumbers(text: string): Pick<Committed, 'files_committed' | 'insertions' | 'deletions'> {
  const fields = text.split('\0');
  const counts = { files_committed: 0, insertions: 0, deletions: 0 };
  for (let i = 0; i < fields.length; i++) {
    const [added, deleted, path] = (fields[i] ?? '').split('\t');
    if (path === undefined) continue;
    counts.files_committed++;
    counts.insertions += Number(added) || 0;
    counts.deletions += Number(deleted) || 0;
    if (path === '') i += 2;
  }
  return counts;
}
