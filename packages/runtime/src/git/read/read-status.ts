// Reads the differences between the last commit, the index and the files from git's porcelain v2.
import type { Workspace } from '../../workspace/workspace.ts';
import { pathSpecs } from '../find-repository.ts';
import { mustGit } from '../run-git.ts';

/** `index` and `worktree` are git's letters: M A D R C T U, `.` for unchanged, `?` for untracked, `!` for ignored. */
type StatusEntry = { path: string; index: string; worktree: string; renamed_from?: string };

type Status = {
  /** Null when HEAD is detached. */
  branch: string | null;
  upstream?: string;
  ahead: number;
  behind: number;
  entries: StatusEntry[];
};

/** `filters` are configured in the repository and were not run. */
type Read = Status & { filters: ReadonlySet<string> };

type StatusRequest = {
  workspace: Workspace;
  signal: AbortSignal;
  /** Relative to the workspace; empty means the whole workspace. */
  paths?: readonly string[];
  untracked?: 'no' | 'normal' | 'all';
  /** Lists ignored files too; a folder that is ignored as a whole is one entry that ends with a slash. */
  ignored?: boolean;
};

export async function readStatus({
  workspace,
  signal,
  paths = [],
  untracked = 'normal',
  ignored = false,
}: StatusRequest): Promise<Read> {
  const { stdout, repository, filters } = await mustGit({
    workspace,
    signal,
    args: [
      'status',
      '--porcelain=v2',
      '-z',
      '--branch',
      '--ahead-behind',
      '--find-renames',
      `--untracked-files=${untracked}`,
      `--ignored=${ignored ? 'matching' : 'no'}`,
      '--',
      ...pathSpecs(workspace, paths),
    ],
  });
  return { ...parse(stdout.toString(), repository.prefix), filters };
}

function parse(text: string, prefix: string): Status {
  const status: Status = { branch: null, ahead: 0, behind: 0, entries: [] };
  const fields = text.split('\0');
  for (let i = 0; i < fields.length; i++) {
    const field = fields[i] ?? '';
    if (field.startsWith('# ')) readHeader(status, field);
    // The old name of a rename is in the next field.
    else if (field.startsWith('2 ')) readEntry(status, field, prefix, fields[++i]);
    else if (field !== '') readEntry(status, field, prefix);
  }
  return status;
}

function readHeader(status: Status, field: string): void {
  const [, name, ...words] = field.split(' ');
  const value = words.join(' ');
  if (name === 'branch.head') status.branch = value === '(detached)' ? null : value;
  else if (name === 'branch.upstream') status.upstream = value;
  else if (name === 'branch.ab') {
    const [ahead, behind] = words;
    status.ahead = Number(ahead);
    status.behind = Math.abs(Number(behind));
  }
}

// Number of fields before the path, by kind of entry.
const leading: Record<string, number> = { '1': 8, '2': 9, u: 10, '?': 1, '!': 1 };

function readEntry(status: Status, field: string, prefix: string, old?: string): void {
  const count = leading[field[0] ?? ''];
  if (count === undefined) return;
  let at = 0;
  for (let i = 0; i < count; i++) at = field.indexOf(' ', at) + 1;
  const isKnown = count > 1;
  status.entries.push({
    path: below(field.slice(at), prefix),
    index: isKnown ? (field[2] ?? '.') : (field[0] ?? '?'),
    worktree: isKnown ? (field[3] ?? '.') : (field[0] ?? '?'),
    ...(old === undefined ? {} : { renamed_from: below(old, prefix) }),
  });
}

function below(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

// The status for callers that can do without: undefined where there is no repository, or where git takes too long.
type StatusSummary = Pick<Awaited<ReturnType<typeof readStatus>>, 'branch' | 'entries'>;

export async function tryReadStatus(
  workspace: Workspace,
  signal: AbortSignal,
): Promise<StatusSummary | undefined> {
  try {
    return await readStatus({ workspace, signal });
  } catch {
    return undefined;
  }
}
