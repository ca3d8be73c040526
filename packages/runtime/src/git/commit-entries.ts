// Commits contents that need not be those of the files: build the tree beside the index → write the commit → move the branch only if it
// is still where it was → update the index for the committed paths alone, as `git commit --only` does.
import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import type { RunContext } from '../tool/define-tool.ts';
import { errno } from '../workspace/fault.ts';
import { findRepository, pathSpecs } from './find-repository.ts';
import type { GitHead } from './read/read-head.ts';
import { mustGit, runGit } from './run-git.ts';
import { takeTurns } from './run-program.ts';

export type FileMode = '100644' | '100755' | '120000';

/** `content` is in the file's own form, `file` is the file as it is now, `object` is an object that git already has. */
export type NewBlob = { mode: FileMode } & ({ content: Buffer } | { file: true } | { object: string });

export type CommitEntry = {
  path: string;
  /** Null removes the path. */
  blob: NewBlob | null;
  /** The new state of the index: the committed content, another content, or unchanged because the index already has it. */
  index: 'same' | 'keep' | NewBlob;
};

type NewCommit = { message: string; before: GitHead; entries: readonly CommitEntry[] };
type GitContext = Pick<RunContext, 'workspace' | 'signal'>;

/** `check` is called when everything is written and nothing has been moved yet; it throws when a file has changed. */
export async function commitEntries(
  commit: NewCommit,
  context: GitContext,
  check: () => void,
): Promise<void> {
  await takeTurns(context.workspace.root.real, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'codelab-commit-'));
    try {
      await write(commit, context, { folder, check });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

async function write(
  { message, before, entries }: NewCommit,
  context: GitContext,
  { folder, check }: { folder: string; check: () => void },
): Promise<void> {
  const { gitDirectory } = findRepository(context.workspace.root.real);
  refuseUnfinished(gitDirectory);
  const lines = await indexLines(entries, context);
  const tree = await treeOf(before, lines.commit, context, join(folder, 'tree'));
  const commit = await commitOf({ tree, before, message }, context);
  using lock = lockIndex(gitDirectory);
  const next = join(folder, 'index');
  if (existsSync(lock.index)) copyFileSync(lock.index, next);
  await updateIndex(lines.index, context, next);
  check();
  await moveBranch({ commit, before, message }, context);
  lock.replace(next);
}

async function treeOf(
  { commit }: GitHead,
  lines: readonly string[],
  context: GitContext,
  index: string,
): Promise<string> {
  const from = commit === undefined ? ['--empty'] : [commit];
  await mustGit({ ...context, args: ['read-tree', ...from], index, isChange: true });
  await updateIndex(lines, context, index);
  const { stdout } = await mustGit({ ...context, args: ['write-tree'], index, isChange: true });
  return stdout.toString().trim();
}

async function updateIndex(lines: readonly string[], context: GitContext, index: string): Promise<void> {
  const shared = { ...context, index, isChange: true } as const;
  if (lines.length > 0)
    await mustGit({ ...shared, args: ['update-index', '-z', '--index-info'], input: lines.join('') });
  // The refresh notes in the index which files are unchanged, so that git need not read them again. A file that differs is no failure.
  await runGit({ ...shared, args: ['update-index', '-q', '--refresh'] });
}

async function commitOf(
  { tree, before, message }: { tree: string; before: GitHead; message: string },
  context: GitContext,
): Promise<string> {
  const parent = before.commit === undefined ? [] : ['-p', before.commit];
  const { stdout } = await mustGit({
    ...context,
    args: ['commit-tree', '--no-gpg-sign', ...parent, '-F', '-', tree],
    input: message,
    isChange: true,
  });
  return stdout.toString().trim();
}

/** Fails when someone else has committed meanwhile: moving the branch would drop their commit. */
async function moveBranch(
  { commit, before, message }: { commit: string; before: GitHead; message: string },
  context: GitContext,
): Promise<void> {
  const subject = message.split('\n')[0] ?? '';
  const note = before.commit === undefined ? `commit (initial): ${subject}` : `commit: ${subject}`;
  const old = before.commit ?? '0'.repeat(commit.length);
  await mustGit({ ...context, args: ['update-ref', '-m', note, 'HEAD', commit, old], isChange: true });
}

type IndexLines = { commit: string[]; index: string[] };

/** The input format of `update-index --index-info`; mode 0 removes a path. */
async function indexLines(entries: readonly CommitEntry[], context: GitContext): Promise<IndexLines> {
  const lines: IndexLines = { commit: [], index: [] };
  // Removals go first: a removed file may be in the place of a new folder.
  for (const { path, blob, index } of entries.toSorted(
    (a, b) => Number(a.blob !== null) - Number(b.blob !== null),
  )) {
    const [spec = ''] = pathSpecs(context.workspace, [path]);
    const line = await lineFor(spec, blob, context);
    lines.commit.push(line);
    if (index === 'same') lines.index.push(line);
    else if (index !== 'keep') lines.index.push(await lineFor(spec, index, context));
  }
  return lines;
}

// No object has this name, whatever the length of the repository's hashes.
const none = '0'.repeat(40);

async function lineFor(spec: string, blob: NewBlob | null, context: GitContext): Promise<string> {
  if (blob === null) return `0 ${none}\t${spec}\0`;
  if ('object' in blob) return `${blob.mode} ${blob.object}\t${spec}\0`;
  // Line endings are converted as git would; the target of a link is not converted.
  const filterOption = blob.mode === '120000' ? '--no-filters' : `--path=${spec}`;
  const from = 'file' in blob ? ['--', spec] : ['--stdin'];
  const { stdout } = await mustGit({
    ...context,
    args: ['hash-object', '-w', filterOption, ...from],
    isChange: true,
    ...('content' in blob && { input: blob.content }),
  });
  return `${blob.mode} ${stdout.toString().trim()}\t${spec}\0`;
}

const unfinished: Record<string, string> = {
  MERGE_HEAD: 'merge',
  CHERRY_PICK_HEAD: 'cherry-pick',
  REVERT_HEAD: 'revert',
  'rebase-merge': 'rebase',
  'rebase-apply': 'rebase',
};

/** git also refuses a partial commit in the middle of these operations. */
export function refuseUnfinished(gitDirectory: string): void {
  const operation = Object.keys(unfinished).find((name) => existsSync(join(gitDirectory, name)));
  if (operation === undefined) return;
  throw new ToolError(
    'GIT_ERROR',
    `A ${unfinished[operation]} is in progress in this repository. Finish or abort it, then commit.`,
    { reason: 'unfinished' },
  );
}

type IndexLock = Disposable & { index: string; replace(next: string): void };

/** git's own lock file: no other git process writes the index while it exists. */
function lockIndex(gitDirectory: string): IndexLock {
  const index = join(gitDirectory, 'index');
  const lock = `${index}.lock`;
  try {
    writeFileSync(lock, '', { flag: 'wx', mode: modeOf(index) });
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
    throw new ToolError(
      'GIT_ERROR',
      `Another git process is running here, or one has crashed: ${lock} exists. Wait for it; if none runs, remove the lock by hand.`,
      { reason: 'locked' },
    );
  }
  return {
    index,
    replace(next) {
      if (existsSync(next)) {
        copyFileSync(next, lock);
        renameSync(lock, index);
      }
    },
    [Symbol.dispose]: () => rmSync(lock, { force: true }),
  };
}

function modeOf(index: string): number {
  return (statSync(index, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
}
