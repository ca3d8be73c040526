// The settings of npm, pnpm, yarn and bun: the files in the folder and above, and the programs and modules that they name.

import { posix } from 'node:path';
import type { Recorder } from '../recorder.ts';
import { type FollowStep, foldersUpward, joinPath, type Word } from '../step.ts';

const config: Readonly<Record<string, readonly string[]>> = {
  npm: ['.npmrc'],
  pnpm: ['.npmrc', '.pnpmfile.cjs', '.pnpmfile.mjs', 'pnpm-workspace.yaml'],
  yarn: ['.npmrc', '.yarnrc', '.yarnrc.yml', '.pnp.cjs', '.pnp.loader.mjs'],
  bun: ['.npmrc', 'bunfig.toml'],
};

const maxLine = 2000;

// A token in there is nobody's to read.
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

// No setting is that long, and matching what is could take for ever.
function shortLines(text: string | undefined): string {
  const lines = text?.split('\n') ?? [];
  return lines.filter((line) => line.length <= maxLine).join('\n');
}

/** A program or a module of the workspace that a setting names. */
export function printNamed(value: string, folder: string, recorder: FollowStep['recorder']): void {
  for (const word of value.split(/[\s"'=,[\]]+/)) {
    const isPath = word.includes('/') || word.startsWith('.');
    // Where the machine keeps its own programs nothing is planted.
    if (!isPath || /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$/.test(word)) continue;
    const path = recorder.resolve(folder, word);
    if (path !== undefined) recorder.file(path);
  }
}

// Which packages of the workspace `npm -w`, `pnpm --filter` and their like name.
/** Several names of npm's option may fit: the name of a package, its folder, or a folder around packages. */
export function namedPackages(value: Word, recorder: Recorder): string[] {
  if (value === undefined || !/^@?\w[\w@./-]*$/.test(value) || value.includes('..')) return [];
  const folders = recorder.find('', /^package\.json$/).map((path) => posix.dirname(path));
  return folders.map((folder) => (folder === '.' ? '' : folder)).filter((folder) => fits(folder));

  function fits(folder: string): boolean {
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
