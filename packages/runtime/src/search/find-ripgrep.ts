// Where ripgrep is: the one that came with the package, or one on the PATH that the workspace cannot have put there.
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';

let own: Promise<string | undefined> | undefined;

export async function findRipgrep(workspace: string): Promise<string | undefined> {
  own ??= import('@vscode/ripgrep').then(
    ({ rgPath }) => programAt(rgPath),
    () => undefined,
  );
  return (await own) ?? onPath(workspace);
}

function onPath(workspace: string): string | undefined {
  const name = process.platform === 'win32' ? 'rg.exe' : 'rg';
  return (process.env.PATH ?? '')
    .split(delimiter)
    .filter(isAbsolute)
    .map((folder) => programAt(join(folder, name)))
    .find((found) => found !== undefined && !isBelow(found, workspace));
}

function programAt(path: string): string | undefined {
  try {
    const real = realpathSync(path);
    accessSync(real, constants.X_OK);
    return real;
  } catch {
    return undefined;
  }
}

function isBelow(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way === '' || !(way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way));
}
