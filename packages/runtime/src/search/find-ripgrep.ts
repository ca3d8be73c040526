// Finds ripgrep: the one that is installed with the package, or one on the PATH outside the workspace.
import { accessSync, constants, realpathSync } from 'node:fs';
import { delimiter, isAbsolute, join, relative, sep } from 'node:path';

let installed: Promise<string | undefined> | undefined;

export async function findRipgrep(workspace: string): Promise<string | undefined> {
  installed ??= import('@vscode/ripgrep').then(
    ({ rgPath }) => programAt(rgPath),
    () => undefined,
  );
  return (await installed) ?? onPath(workspace);
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
  const relativePath = relative(folder, path);
  return (
    relativePath === '' ||
    !(relativePath === '..' || relativePath.startsWith(`..${sep}`) || isAbsolute(relativePath))
  );
}
