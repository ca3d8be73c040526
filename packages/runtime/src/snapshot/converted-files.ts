// Which files git converts in a way that their sizes do not show: those whose attributes name a filter, an encoding or an ident.
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Repository } from '../git/find-repository.ts';
import { runGit } from '../git/run-git.ts';
import { readWorkspaceText } from '../workspace/text-files.ts';
import type { Workspace } from '../workspace/workspace.ts';

const converting = ['filter', 'working-tree-encoding', 'ident'] as const;

type ConversionRequest = {
  workspace: Workspace;
  repository: Repository;
  /** Every path of the tree. */
  paths: Iterable<string>;
  /** The paths to check. */
  candidates: readonly string[];
  signal: AbortSignal;
};

/** Undefined when git cannot answer. */
export async function convertedFiles(request: ConversionRequest): Promise<ReadonlySet<string> | undefined> {
  if (request.candidates.length === 0 || !mentions(request)) return new Set();
  const { workspace, repository, candidates, signal } = request;
  const { prefix } = repository;
  try {
    const { stdout, exitCode, isCut } = await runGit({
      workspace,
      args: ['check-attr', '-z', '--stdin', ...converting],
      input: candidates.map((path) => `${prefix}${path}\0`).join(''),
      signal,
    });
    return exitCode === 0 && !isCut ? parse(stdout, prefix) : undefined;
  } catch {
    return undefined;
  }
}

// Path, attribute and value, each followed by a NUL.
function parse(stdout: Buffer, prefix: string): Set<string> {
  const fields = stdout.toString().split('\0');
  const converted = new Set<string>();
  for (let i = 0; i + 2 < fields.length; i += 3) {
    const isSet = fields[i + 2] !== 'unspecified' && fields[i + 2] !== 'unset';
    if (isSet) converted.add((fields[i] ?? '').slice(prefix.length));
  }
  return converted;
}

// Asking git costs a process, and most repositories have no such attributes.
function mentions({ workspace, repository, paths }: ConversionRequest): boolean {
  const { real } = workspace.root;
  const inside = [...paths]
    .filter((path) => path === '.gitattributes' || path.endsWith('/.gitattributes'))
    .map((path) => textInside(real, path));
  return [...inside, ...textsOutside(real, repository)].some((text) =>
    /filter|encoding|ident|attributesfile/i.test(text),
  );
}

function textInside(root: string, path: string): string {
  try {
    return readWorkspaceText(root, path) ?? '';
  } catch {
    // A file that cannot be read may name anything, so it counts as naming a filter.
    return 'filter';
  }
}

function textsOutside(root: string, { top, commonDirectory }: Repository): string[] {
  const settings = process.env.XDG_CONFIG_HOME || join(homedir(), '.config');
  const files = [
    join(commonDirectory, 'info', 'attributes'),
    join(commonDirectory, 'config'),
    join(homedir(), '.gitconfig'),
    join(settings, 'git', 'config'),
    join(settings, 'git', 'attributes'),
    '/etc/gitattributes',
    '/etc/gitconfig',
  ];
  for (let at = root; at !== top && at !== dirname(at); ) {
    at = dirname(at);
    files.push(join(at, '.gitattributes'));
  }
  return files.filter((file) => existsSync(file)).map((file) => readFileSync(file, 'utf8'));
}
