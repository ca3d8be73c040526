// Package managers: the folder or the package of the workspace that their options name (`pnpm --dir apps/web test`), and the program
// that `npx x` starts when the project has it installed.

import { lstatSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Argument } from '../argument.ts';
import { resolvePlace } from '../places/resolve-place.ts';
import type { Scene } from '../scene.ts';

// Package managers that are told to work in another folder or in one package of the workspace: `pnpm --dir apps/web test`,
// `npm test -w api`, `pnpm --filter api build`.
/** `words` name the folder or package, `rest` is what the manager does there. */
export type PackageTarget = { words: string[]; folder?: string; rest: Argument[] };

// In the spelling that a rule has for all of them.
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
// Of pnpm `-w` is something else.
const packageOptions: Readonly<Record<string, Option>> = {
  npm: option('--workspace', '-w'),
  pnpm: option('--filter', '-F'),
  bun: option('--filter'),
};

/** Undefined when nothing of the kind is given, or not in plain words. */
export function readPackageTarget(name: string, args: readonly Argument[]): PackageTarget | undefined {
  const end = args.findIndex(({ value }) => value === '--');
  const own = end < 0 ? args : args.slice(0, end);
  // A folder only where it stands first: behind a script it may be the script's own.
  return (
    takeOption(args, folderOptions[name], 0, 'folder') ??
    takeOption(
      args,
      packageOptions[name],
      own.findIndex(({ value }) => packageOptions[name]?.pattern.test(value)),
    )
  );
}

function takeOption(
  args: readonly Argument[],
  known: Option | undefined,
  at: number,
  as?: 'folder',
): PackageTarget | undefined {
  const word = args[at];
  const found = word?.kind === 'exact' ? known?.pattern.exec(word.value) : undefined;
  if (known === undefined || found === undefined || found === null) return undefined;
  const isJoined = found[1] !== undefined;
  const value = isJoined ? found[1] : args[at + 1]?.kind === 'exact' ? args[at + 1]?.value : undefined;
  if (value === undefined || !isPlain(value)) return undefined;
  const rest = [...args.slice(0, at), ...args.slice(at + (isJoined ? 1 : 2))];
  return { words: [known.name, value], rest, ...(as && { folder: value }) };
}

// No pattern, and nothing that selects more than it names.
function isPlain(value: string): boolean {
  return /^@?\w[\w@./-]*$/.test(value) && !/\.\.|\/$/.test(value);
}

/** What it finds in the folder it is told to work in; undefined when that is not a real folder of the workspace. */
export function judgeInFolder<T>(folder: string, scene: Scene, judge: () => T): T | undefined {
  const { cwds } = scene;
  const places = cwds?.map((cwd) => resolvePlace(scene.workspace, cwd, folder, 'read')) ?? [];
  const inside = places.flatMap((place) =>
    place.kind === 'inside' && place.isFolder && !place.isLinked ? [place.path] : [],
  );
  if (inside.length === 0 || inside.length < places.length) return undefined;
  try {
    scene.cwds = inside;
    return judge();
  } finally {
    scene.cwds = cwds;
  }
}

// The program that `npx x` starts when the project has it installed, so that nothing is downloaded. Whatever names a package, a version or
// another place, or is known only when it runs, is none.
type StarterCall = { name: string; args: readonly Argument[]; scene: Scene };

const starters = new Set(['npx', 'pnpx', 'bunx']);
// npm takes options behind the program for its own, and among them what to download and to run.
const managers = new Set(['pnpm', 'yarn']);
// These options decide how much is asked and printed, never which program runs.
const harmless = /^(?:-y|--yes|--no|--no-install|-q|--quiet|--silent|--offline)$/;

export function installedProgram({
  name,
  args,
  scene,
}: StarterCall): { name: string; args: Argument[] } | undefined {
  const isExec = managers.has(name) && args[0]?.kind === 'exact' && args[0].value === 'exec';
  if ((!starters.has(name) && !isExec) || scene.cwds === undefined) return undefined;
  const at = args.findIndex(
    ({ kind, value }, i) => !(isExec && i === 0) && (kind !== 'exact' || !harmless.test(value)),
  );
  const program = args[at];
  if (program?.kind !== 'exact' || !/^[a-z][\w-]*$/i.test(program.value)) return undefined;
  const isThere = scene.cwds.every((cwd) => isInstalled(program.value, cwd, scene));
  return isThere ? { name: program.value, args: args.slice(at + 1) } : undefined;
}

/** In the folder or in one above it, up to the root of the workspace, as npm looks for it. */
function isInstalled(program: string, cwd: string, { workspace }: Scene): boolean {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const isTop = folder === '' || folder === '.';
    const path = `${isTop ? '' : `${folder}/`}node_modules/.bin/${program}`;
    if (isAt(path, workspace)) return true;
    if (isTop) return false;
  }
}

function isAt(path: string, workspace: Scene['workspace']): boolean {
  try {
    using place = workspace.locate(path, { followLast: false, access: 'read', pathChars: 4096 });
    return lstatSync(place.parent.at(place.name), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
