// Package managers: the folder or package that their options name (`pnpm --dir apps/web test`), and the program that `npx x` starts when
// the project has it installed.

import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Argument } from '../argument.ts';
import type { LineState } from '../line-state.ts';
import { resolvePlace } from '../places/resolve-place.ts';

// Options that run a package manager in another folder or package: `pnpm --dir apps/web test`, `npm test -w api`, `pnpm --filter api
// build`.
/** `words` name the folder or package, `rest` is the manager's command there. */
export type PackageTarget = { words: string[]; folder?: string; rest: Argument[] };

// `name`: the spelling that rules use for all package managers.
type Option = { name: string; pattern: RegExp };
const option = (...names: [string, ...string[]]): Option => ({
  name: names[0],
  pattern: new RegExp(`^(?:${names.join('|')})(?:=(.*))?$`, 's'),
});

const folderOptions: Readonly<Record<string, Option>> = {
  npm: option('--prefix', '-C'),
  pnpm: option('--dir', '-C'),
  yarn: option('--cwd'),
  bun: option('--cwd'),
};
// For pnpm, `-w` means something else.
const packageOptions: Readonly<Record<string, Option>> = {
  npm: option('--workspace', '-w'),
  pnpm: option('--filter', '-F'),
  bun: option('--filter'),
};

/** Undefined when there is no such option, or not in plain words. */
export function readPackageTarget(name: string, args: readonly Argument[]): PackageTarget | undefined {
  const end = args.findIndex(({ value }) => value === '--');
  const ownArgs = end < 0 ? args : args.slice(0, end);
  // A folder option counts only in the first place: after a script it may belong to the script.
  return (
    takeOption(args, folderOptions[name], 0, 'folder') ??
    takeOption(
      args,
      packageOptions[name],
      ownArgs.findIndex(({ value }) => packageOptions[name]?.pattern.test(value)),
    )
  );
}

function takeOption(
  args: readonly Argument[],
  option: Option | undefined,
  at: number,
  meaning?: 'folder',
): PackageTarget | undefined {
  const word = args[at];
  const match = word?.kind === 'exact' ? option?.pattern.exec(word.value) : undefined;
  if (option === undefined || match === undefined || match === null) return undefined;
  const isJoined = match[1] !== undefined;
  const value = isJoined ? match[1] : args[at + 1]?.kind === 'exact' ? args[at + 1]?.value : undefined;
  if (value === undefined || !isPlain(value)) return undefined;
  const rest = [...args.slice(0, at), ...args.slice(at + (isJoined ? 1 : 2))];
  return { words: [option.name, value], rest, ...(meaning && { folder: value }) };
}

// A plain name: no pattern, and nothing that selects more than one package.
function isPlain(value: string): boolean {
  return /^@?\w[\w@./-]*$/.test(value) && !/\.\.|\/$/.test(value);
}

/** Runs `judge` in the folder that an option names; undefined when it is not a real folder of the workspace. */
export function judgeInFolder<T>(folder: string, state: LineState, judge: () => T): T | undefined {
  const { cwds } = state;
  const places = cwds?.map((cwd) => resolvePlace(state.workspace, cwd, folder, 'read')) ?? [];
  const inside = places.flatMap((place) =>
    place.kind === 'inside' && place.isFolder && !place.isLinked ? [place.path] : [],
  );
  if (inside.length === 0 || inside.length < places.length) return undefined;
  try {
    state.cwds = inside;
    return judge();
  } finally {
    state.cwds = cwds;
  }
}

// The program that `npx x` starts when the project has it installed, so that nothing is downloaded. Undefined for a word that names a
// package, a version or another place, or is known only at run time.
type StarterCall = { name: string; args: readonly Argument[]; state: LineState };

const starters = new Set(['npx', 'pnpx', 'bunx']);
// npm takes options after the program as its own, including which package to download and run, so npm is not listed.
const managers = new Set(['pnpm', 'yarn']);
// These options decide how much is prompted and printed, never which program runs.
const harmless = /^(?:-y|--yes|--no|--no-install|-q|--quiet|--silent|--offline)$/;

export function installedProgram({
  name,
  args,
  state,
}: StarterCall): { name: string; args: Argument[] } | undefined {
  const isExec = managers.has(name) && args[0]?.kind === 'exact' && args[0].value === 'exec';
  if ((!starters.has(name) && !isExec) || state.cwds === undefined) return undefined;
  const at = args.findIndex(
    ({ kind, value }, i) => !(isExec && i === 0) && (kind !== 'exact' || !harmless.test(value)),
  );
  const program = args[at];
  if (program?.kind !== 'exact' || !/^[a-z][\w-]*$/i.test(program.value)) return undefined;
  const isThere = state.cwds.every((cwd) => isInstalled(program.value, cwd, state));
  return isThere ? { name: program.value, args: args.slice(at + 1) } : undefined;
}

/** Searches the folder and those above it, up to the workspace root, as npm does. */
function isInstalled(program: string, cwd: string, { workspace }: LineState): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const isTop = folder === '' || folder === '.';
    const path = `${isTop ? '' : `${folder}/`}node_modules/.bin/${program}`;
    if (isAt(path, workspace)) return true;
    if (isTop) return false;
  }
}

function isAt(path: string, workspace: LineState['workspace']): boolean {
  try {
    using place = workspace.locate(path, { followLast: false, access: 'read', pathChars: 4096 });
    return lstatSync(place.parent.at(place.name), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
