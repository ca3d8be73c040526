// Reads what changed as one diff, with the names of its files.
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
  /** Some file is not UTF-8, so the text has replacement characters. */
  isLossy: boolean;
  isCut: boolean;
  /** Every path in the diff, old and new, relative to the workspace. */
  paths: string[];
  /** Names, modes and hashes as git lists them; equal if and only if what is staged is equal. */
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

export async function readGitDiff(request: DiffRequest): Promise<GitDiff> {
  const ran = await compare(request, 'HEAD');
  const found = isUnborn(ran.stderr)
    ? await compare(request, await emptyTree(request.workspace, request.signal))
    : ran;
  if (found.exitCode !== 0 && !found.isCut) throw gitFailure(found);
  const end = endOfListing(found.stdout);
  const listing = found.stdout.toString('utf8', 0, end);
  const { paths, unmerged } = readListing(listing);
  const patch = found.stdout.subarray(end + 1);
  const unmergedDiff = unmerged.length === 0 ? undefined : await compareUnmerged(request, unmerged);
  const bytes = unmergedDiff === undefined ? patch : Buffer.concat([patch, unmergedDiff.stdout]);
  return {
    text: bytes.subarray(0, request.maxBytes).toString(),
    isLossy: !isUtf8(bytes),
    isCut: found.isCut || unmergedDiff?.isCut === true || bytes.length > request.maxBytes,
    paths,
    listing,
  };
}

/** The error for a diff that exceeds the caller's limit. */
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

// With a list of names, git omits how the two sides of a conflict compare.
function compareUnmerged(
  { workspace, signal, maxBytes }: DiffRequest,
  paths: readonly string[],
): Promise<GitRun> {
  const places = ['--', ...pathSpecs(workspace, paths)];
  return runGit({ workspace, signal, maxBytes, args: ['diff-files', ...form(workspace), '--cc', ...places] });
}

// Nothing above the workspace is shown, and names are relative to the workspace.
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

// Each record is `:modes hashes status<TAB>path`, with two paths for a rename and one more colon for every further side of a conflict.
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

// More names are neither passed to git nor shown; the rules are then applied to the whole diff.
const mostNamed = 2000;

/** Leaves out files that may hold secrets, unless such a file was named. */
export async function withoutSecrets(
  requested: string,
  read: (paths: string[]) => Promise<GitDiff>,
): Promise<{ found: GitDiff; leftOut: string[] }> {
  const found = await read([requested]);
  const leftOut = isProtected(requested) ? [] : found.paths.filter(isProtected);
  const readable = found.paths.filter((path) => !leftOut.includes(path));
  if (leftOut.length === 0 || readable.length > mostNamed) return { found, leftOut: [] };
  const nothing = { text: '', isLossy: false, isCut: false, paths: [], listing: '' };
  return { found: readable.length === 0 ? nothing : await read(readable), leftOut };
}
