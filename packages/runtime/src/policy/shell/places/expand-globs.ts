// Replaces globs among the words of a command by the names that match now, as the shell will.
import type { Dirent } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import type { Directory } from '../../../workspace/directory.ts';
import { isStateFolderError } from '../../../workspace/state-folder.ts';
import { compileGlob } from '../../../workspace/trees/glob.ts';
import { entriesOf } from '../../../workspace/trees/tree.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import { type Argument, exactly } from '../argument.ts';
import type { LineState } from '../line-state.ts';

const maxNames = 500;
const maxLooked = 5000;

export function expandGlobs(args: readonly Argument[], state: LineState): Argument[] {
  if (!args.some(({ kind }) => kind === 'glob')) return [...args];
  return args.flatMap((arg) => (arg.kind === 'glob' ? expand(arg, state) : [arg]));
}

function expand(arg: Argument, { workspace, cwds }: LineState): Argument[] {
  const unclear: Argument = { ...arg, value: arg.text, kind: 'unknown' };
  const unexpanded: Argument = { ...arg, value: arg.plain ?? arg.text, kind: 'exact', isOneWord: true };
  const absolute = arg.value.startsWith('/') ? belowRoot(arg.value, workspace.root.real) : undefined;
  const isOutside = arg.value.startsWith('/') && absolute === undefined;
  if (isOutside || cwds === undefined) return [unclear];
  try {
    const budget = { remaining: maxLooked };
    const names = new Set(
      absolute === undefined
        ? cwds.flatMap((cwd) => namesFitting(workspace, cwd, arg.value, budget))
        : namesFitting(workspace, '', absolute, budget).map((name) => `${workspace.root.real}/${name}`),
    );
    if (names.size > maxNames) return [unclear];
    return names.size === 0 ? [unexpanded] : [...names].map(exactly);
  } catch (error) {
    if (error instanceof ToolError && !isStateFolderError(error)) return [unclear];
    throw error;
  }
}

/** The rest of an absolute pattern below the workspace; undefined when it leads elsewhere. */
function belowRoot(pattern: string, real: string): string | undefined {
  const depth = real === '/' ? 1 : real.split('/').length;
  const segments = pattern.replace(/\/+/g, '/').split('/');
  const literalPath = segments.slice(0, depth).join('/').replace(/\\(.)/g, '$1');
  const isSpelled =
    literalPath === (real === '/' ? '' : real) && !/(^|[^\\])[*?[]/.test(segments.slice(0, depth).join('/'));
  return isSpelled ? segments.slice(depth).join('/') : undefined;
}

function namesFitting(
  workspace: Workspace,
  cwd: string,
  pattern: string,
  budget: { remaining: number },
): string[] {
  let paths = [''];
  for (const segment of pattern.split('/')) {
    const matchesSegment = /(^|[^\\])[*?[]/.test(segment) ? compileGlob(segment) : undefined;
    paths = paths.flatMap((before) => {
      if (matchesSegment === undefined) return [`${before}${segment.replace(/\\(.)/g, '$1')}/`];
      return namesIn(workspace, `${cwd}/${before}`, budget)
        .filter((name) => (segment.startsWith('.') || !name.startsWith('.')) && matchesSegment(name))
        .map((name) => `${before}${name}/`);
    });
    if (paths.length > maxNames) break;
  }
  return paths.map((name) => name.slice(0, -1));
}

function namesIn(workspace: Workspace, folder: string, budget: { remaining: number }): string[] {
  const folderPath = folder.replace(/^\/+|\/+$/g, '') || '.';
  using place = workspace.locate(folderPath, { followLast: true, access: 'read', pathChars: 4096 });
  if (place.stat?.isDirectory() !== true) return [];
  using directory: Directory = place.name === '.' ? place.parent.again() : place.parent.openBelow(place.name);
  const names = entriesOf(directory).map(({ name }: Dirent) => name);
  budget.remaining -= names.length;
  if (budget.remaining < 0) throw new ToolError('INVALID_ARGUMENTS', 'Too many names to look at.');
  // Some shells match `.` and `..` as well when the pattern begins with a dot.
  return ['.', '..', ...names];
}
