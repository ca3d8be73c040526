// Reads what the last commit and the index have at given paths, and converts those contents to the form of the files.
import { ToolError } from '@codelab/protocol';
import type { Workspace } from '../../workspace/workspace.ts';
import { pathSpecs } from '../find-repository.ts';
import { mustGit } from '../run-git.ts';

export type GitEntry = { mode: string; object: string };

/** By path relative to the workspace; a folder stands for everything in it. */
export type GitEntries = { commit: Map<string, GitEntry>; index: Map<string, GitEntry> };

type EntriesRequest = { workspace: Workspace; signal: AbortSignal; paths: readonly string[] };

const largestBytes = 64 * 1024 * 1024;

export async function readGitEntries(
  request: EntriesRequest,
  commit: string | undefined,
): Promise<GitEntries> {
  const { workspace, signal, paths } = request;
  const shared = { workspace, signal };
  const specs = pathSpecs(workspace, paths);
  const [tree, index] = await Promise.all([
    commit === undefined
      ? undefined
      : mustGit({ ...shared, args: ['ls-tree', '-z', '-r', commit, '--', ...specs] }),
    mustGit({ ...shared, args: ['ls-files', '-z', '--stage', '--', ...specs] }),
  ]);
  const { prefix } = index.repository;
  return {
    // `<mode> <type> <object>\t<path>`
    commit: parse(tree?.stdout.toString() ?? '', prefix, ([mode = '', , object = '']) => ({ mode, object })),
    // `<mode> <object> <stage>\t<path>`
    index: parse(index.stdout.toString(), prefix, ([mode = '', object = '', stage], path) => {
      if (stage !== '0')
        throw new ToolError('GIT_ERROR', `${path} is in conflict. Resolve it with git, then commit.`, {
          reason: 'conflict',
        });
      return { mode, object };
    }),
  };
}

function parse(
  text: string,
  prefix: string,
  read: (fields: string[], path: string) => GitEntry,
): Map<string, GitEntry> {
  const entries = new Map<string, GitEntry>();
  for (const line of text.split('\0')) {
    const tab = line.indexOf('\t');
    if (tab < 0) continue;
    const path = line.slice(tab + 1 + prefix.length);
    entries.set(path, read(line.slice(0, tab).split(' '), path));
  }
  return entries;
}

/** With the line endings of the file; the content of a link is its target. */
export async function readAsFile(
  { workspace, signal }: Omit<EntriesRequest, 'paths'>,
  path: string,
  { mode, object }: GitEntry,
): Promise<Buffer> {
  const [spec = ''] = pathSpecs(workspace, [path]);
  const isFile = mode.startsWith('100');
  const args = isFile ? (['--filters', `--path=${spec}`, object] as const) : (['blob', object] as const);
  const { stdout } = await mustGit({
    workspace,
    signal,
    args: ['cat-file', ...args],
    maxBytes: largestBytes,
  });
  return stdout;
}
