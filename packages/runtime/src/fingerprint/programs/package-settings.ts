// The settings of npm, pnpm, yarn and bun: the manifest, the files in the folder and above, and the programs and modules they name.

import { posix } from 'node:path';
import { digestJson } from '../../platform/digest.ts';
import type { Recorder } from '../recorder.ts';
import { type FollowStep, foldersUpward, joinPath, type Word } from '../step.ts';
import { anyWord, printMentionedIn } from './mentioned-files.ts';

type Here = FollowStep & { cwd: string };

const config: Readonly<Record<string, readonly string[]>> = {
  npm: ['.npmrc'],
  pnpm: ['.npmrc', '.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpm-workspace.yaml'],
  yarn: ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnp.cjs', '.pnp.loader.mjs'],
  bun: ['.npmrc', 'bunfig.toml'],
};

const maxLine = 2000;

// Only these settings are printed, because the file may hold a token.
const steers =
  /^[ \t]*["']?(script-shell|shell|node-options|prefix|globalconfig|userconfig|shell-emulator|ignore-scripts|yarn-?[pP]ath|preload|nodeOptions|shell)["']?[ \t]*[=: ][ \t]*(.+)$/gm;

export function configure(name: string, { recorder, cwd }: FollowStep & { cwd: string }): void {
  for (const folder of foldersUpward(cwd))
    for (const file of config[name] ?? []) {
      const path = joinPath(folder, file);
      if (!recorder.names(folder).has(file)) continue;
      const text = /^\.pnp\./.test(file) ? void recorder.file(path) : recorder.text(path);
      for (const [, key = '', value = ''] of shortLines(text).matchAll(steers)) {
        recorder.run(`${path} sets ${key}`, value.trim());
        printNamed(value, folder, recorder);
      }
      if (file === '.yarnrc.yml')
        for (const [, plugin = ''] of shortLines(text).matchAll(/path:[ \t]*["']?([\w./@-]+)/g) ?? [])
          recorder.file(joinPath(folder, plugin));
    }
}

// No setting is that long, and matching a longer line could take forever.
function shortLines(text: string | undefined): string {
  const lines = text?.split('\n') ?? [];
  return lines.filter((line) => line.length <= maxLine).join('\n');
}

/** A program or a module of the workspace that a setting names. */
export function printNamed(value: string, folder: string, recorder: FollowStep['recorder']): void {
  for (const word of value.split(/[\s"'=,[\]]+/)) {
    const isPath = word.includes('/') || word.startsWith('.');
    // The system's program folders are not writable for an agent, so programs there are not printed.
    if (!isPath || /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/.test(word)) continue;
    const path = recorder.resolve(folder, word);
    if (path !== undefined) recorder.file(path);
  }
}

// Which packages of the workspace `npm -w`, `pnpm --filter` and the like name.
/** A value of npm's option may match a package's name, its folder, or a folder around packages. */
export function namedPackages(value: Word, recorder: Recorder): string[] {
  if (value === undefined || !/^@?\w[\w@./-]*$/.test(value) || value.includes('..')) return [];
  const folders = recorder.find('', /^package\.json$/).map((path) => posix.dirname(path));
  return folders.map((folder) => (folder === '.' ? '' : folder)).filter((folder) => isChosen(folder));

  function isChosen(folder: string): boolean {
    const name = nameOf(posix.join(folder, 'package.json'), recorder);
    const isNamed = name === value || name?.endsWith(`/${value ?? ''}`) === true;
    return isNamed || folder === value || folder.startsWith(`${value ?? ''}/`);
  }
}

function nameOf(path: string, recorder: Recorder): string | undefined {
  try {
    const manifest: unknown = JSON.parse(recorder.peek(path) ?? '');
    const name = typeof manifest === 'object' && manifest !== null && 'name' in manifest ? manifest.name : '';
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

export type Scripts = ReadonlyMap<string, string>;

// Of the manifest only fields that decide what runs are printed: a new version or dependency is not a different body.
const unsteering = new Set(
  'name version description keywords author contributors maintainers license repository bugs homepage funding private files engines os cpu scripts dependencies devDependencies peerDependencies peerDependenciesMeta optionalDependencies bundleDependencies'.split(
    ' ',
  ),
);

// Entry points are loaded by dependents, not by the package's own scripts.
const entryPoints = new Set(
  'main module browser types typings exports imports bin man directories sideEffects workspaces'.split(' '),
);

/** Prints the manifest of a folder and returns its scripts; undefined when it cannot be read. */
export function readScripts(step: Here): Scripts | undefined {
  const { recorder, cwd } = step;
  const path = joinPath(cwd, 'package.json');
  const text = recorder.peek(path);
  try {
    const manifest: unknown = JSON.parse((text ?? '').replace(/^\ufeff/, ''));
    if (typeof manifest !== 'object' || manifest === null) throw new Error('not an object');
    const steering = Object.entries(manifest).filter(([key]) => !unsteering.has(key));
    recorder.print(path, digestJson(Object.fromEntries(steering)));
    const tools = steering.filter(([key]) => !entryPoints.has(key));
    printMentionedIn(JSON.stringify(tools), cwd, anyWord, step);
    const scripts: unknown = 'scripts' in manifest ? manifest.scripts : {};
    const entries = typeof scripts === 'object' && scripts !== null ? Object.entries(scripts) : [];
    return new Map(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
  } catch {
    recorder.file(path);
    recorder.giveUp(`${path} can't be read.`);
    return undefined;
  }
}
