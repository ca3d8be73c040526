// Finds the server for a file and its program. A program inside the workspace is the workspace's own code, so it is started only when the
// configuration names its path.
import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { isUnder, trustedPath } from '../../process/child-environment.ts';
import type { ServerProgram } from './languages.ts';
import type { ServedLanguage } from './lsp-settings.ts';

export type FoundServer = {
  language: string;
  /** Display name: the program without its options. */
  server: string;
  program: ServerProgram;
  /** The absolute path of the program. */
  path: string;
  /** The configuration names the program. */
  isNamed: boolean;
};

export type MissingServer = {
  status: 'not_installed' | 'unavailable';
  language: string;
  server: string;
  install: string;
  /** The reason, when it is more than a missing program. */
  why?: string;
};

/** The language of a file by its extension, with its language id; undefined when unknown. */
export function languageOfFile(
  path: string,
  languages: readonly ServedLanguage[],
): { language: ServedLanguage; id: string } | undefined {
  const name = basename(path).toLowerCase();
  for (const language of languages) {
    let longest = '';
    for (const end in language.extensions)
      if (end.length > longest.length && name.length > end.length && name.endsWith(end)) longest = end;
    const id = language.extensions[longest];
    if (id !== undefined) return { language, id };
  }
  return undefined;
}

export function findServer(language: ServedLanguage, root: string): FoundServer | MissingServer {
  const [first] = language.programs;
  const missing = { language: language.name, server: nameOf(first), install: first.install };
  if (language.isOff)
    return { ...missing, status: 'unavailable', why: 'It is switched off in the configuration.' };
  for (const program of language.programs) {
    const path = placeOf(program, root);
    if (path !== undefined)
      return { language: language.name, server: nameOf(program), program, path, isNamed: language.isNamed };
  }
  const installed = language.programs
    .map(({ argv: [name] }) => join(root, 'node_modules/.bin', name))
    .find(existsSync);
  if (installed === undefined) return { ...missing, status: 'not_installed' };
  const reason = `${basename(installed)} in the workspace’s node_modules is the workspace’s own code and is not started. To use it, name its absolute path as \`command\` in lsp.servers.${language.name} of your own configuration.`;
  return { ...missing, status: 'not_installed', why: reason };
}

function nameOf({ argv: [name] }: ServerProgram): string {
  return basename(name);
}

function placeOf(program: ServerProgram, root: string): string | undefined {
  const [name] = program.argv;
  if (name.includes('/')) {
    const place = resolve(root, name);
    return isProgram(place) ? place : undefined;
  }
  return trustedPath(root)
    .map((folder) => join(folder, name))
    .find((path) => isProgram(path) && !isUnder(realpathSync(path), root) && isWanted(path, program));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Read from the program's package: an older compiler of the same name would only print that it does not know the option. */
function isWanted(path: string, { package: wantedPackage }: ServerProgram): boolean {
  if (wantedPackage === undefined) return true;
  for (let folder = dirname(realpathSync(path)); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    try {
      const { name, version } = JSON.parse(readFileSync(manifest, 'utf8')) as Record<string, unknown>;
      return name === wantedPackage.name && Number.parseInt(String(version), 10) >= wantedPackage.major;
    } catch {
      return false;
    }
  }
  return false;
}
