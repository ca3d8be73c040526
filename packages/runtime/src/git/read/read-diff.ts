// What changed, as one text, with the names of the files in it.
import { isUtf8 } from 'node:buffer';
import { ToolError } from '@codelab/protocol';
import { unquotePath } from '../../patch/parse/patch-paths.ts';
import { isProtected } from '../../policy/built-in-rules.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import { pathSpecs } from '../find-repository.ts';
import { gitFailure } from '../git-failure.ts';
import { type GitRun, runGit } from '../run-git.ts';
import { emptyTree } from './read-head.ts';
import { isUnborn } from './read-log.ts';

/** Files against the index, the index against the last commit, or files against the last commit. */
type Sides = 'unstaged' | 'staged' | 'since-commit';

export type GitDiff = {
  text: string;
  /** Some file is not UTF-8, and the text shows it with replacement characters. */
  isLossy: boolean;
  isCut: boolean;
  /** Every path in it, old and new, below the workspace. */
  paths: string[];
  /** Names, modes and hashes as git lists them: the same when and only when what is staged is the same. */
  listing: string;
};

type DiffRequest = {
  workspace: Workspace;
  signal: AbortSignal;
  sides: Sides;
  paths: readonly string[];
  maxBytes: number;
};

const maxListingBytes = 16 * 1024 * 1024;

export async function readGitDiff(asked: DiffRequest): Promise<GitDiff> {
  const ran = await compare(asked, 'HEAD');
  const found = isUnborn(ran.stderr)
    ? await compare(asked, await emptyTree(asked.workspace, asked.signal))
    : ran;
  if (found.exitCode !== 0 && !found.isCut) throw gitFailure(found);
  const end = endOfListing(found.stdout);
  const listing = found.stdout.toString('utf8', 0, end);
  const { paths, unmerged } = readListing(listing);
  const patch = found.stdout.subarray(end + 1);
  const more = unmerged.length === 0 ? undefined : await compareUnmerged(asked, unmerged);
  const bytes = more === undefined ? patch : Buffer.concat([patch, more.stdout]);
  return {
    text: bytes.subarray(0, asked.maxBytes).toString(),
    isLossy: !isUtf8(bytes),
    isCut: found.isCut || more?.isCut === true || bytes.length > asked.maxBytes,
    paths,
    listing,
  };
}

/** The refusal of a diff that is larger than a caller may get. */
export function diffTooLarge(maxBytes: number): ToolError {
  return new ToolError(
    'FILE_TOO_LARGE',
    `The diff has more than ${maxBytes} bytes. Name a \`path\` with fewer changes.`,
    { max_size: maxBytes },
  );
}

function compare({ workspace, signal, sides, paths, maxBytes }: DiffRequest, tree: string): Promise<GitRun> {
  const places = ['--', ...pathSpecs(workspace, paths)];
  const shared = { workspace, signal, maxBytes: maxBytes + maxListingBytes };
  switch (sides) {
    case 'unstaged':
      return runGit({ ...shared, args: ['diff-files', ...form(workspace), '--raw', '--cc', ...places] });
    case 'staged':
      return runGit({
        ...shared,
        args: ['diff-index', '--cached', ...form(workspace), '--raw', tree, ...places],
      });
    case 'since-commit':
      return runGit({ ...shared, args: ['diff-index', ...form(workspace), '--raw', tree, ...places] });
  }
}

// Beside a list of names git leaves out how both sides of a conflict compare.
function compareUnmerged(
  { workspace, signal, maxBytes }: DiffRequest,
  paths: readonly string[],
): Promise<GitRun> {
  const places = ['--', ...pathSpecs(workspace, paths)];
  return runGit({ workspace, signal, maxBytes, args: ['diff-files', ...form(workspace), '--cc', ...places] });
}

// Above the workspace nothing is shown, and names count from the workspace.
function form(workspace: Workspace): string[] {
  const [prefix] = pathSpecs(workspace, []);
  return ['-p', '-M', ...(prefix === undefined ? [] : [`--relative=${prefix}/`])];
}

function endOfListing(bytes: Buffer): number {
  let at = 0;
  while (bytes[at] === 0x3a) {
    const end = bytes.indexOf(0x0a, at);
    if (end < 0) return bytes.length;
    at = end + 1;
  }
  return at;
}

// `:modes hashes status<TAB>path`, for a rename both paths; one colon more for every further side of a conflict.
function readListing(listing: string): { paths: string[]; unmerged: string[] } {
  const paths = new Set<string>();
  const unmerged: string[] = [];
  for (const line of listing.split('\n')) {
    const [, ...names] = line.split('\t').map(plainName);
    for (const name of names) paths.add(name);
    if (line.startsWith('::')) unmerged.push(...names);
  }
  return { paths: [...paths], unmerged };
}

function plainName(name: string): string {
  return name.startsWith('"') ? (unquotePath(name)?.name ?? name) : name;
}

// More than that is neither listed for git nor shown; then the rules speak about all of it.
const mostNamed = 2000;

/** Files that may hold secrets are left out, unless one of them is what was asked for. */
export async function withoutSecrets(
  asked: string,
  read: (paths: string[]) => Promise<GitDiff>,
): Promise<{ found: GitDiff; leftOut: string[] }> {
  const found = await read([asked]);
  const leftOut = isProtected(asked) ? [] : found.paths.filter(isProtected);
  const shown = found.paths.filter((path) => !leftOut.includes(path));
  if (leftOut.length === 0 || shown.length > mostNamed) return { found, leftOut: [] };
  const nothing = { text: '', isLossy: false, isCut: false, paths: [], listing: '' };
  return { found: shown.length === 0 ? nothing : await read(shown), leftOut };
}
