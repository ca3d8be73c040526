// The git program by its absolute path. Folders of the search path that are relative, or lie in the workspace, are passed over:
// what an agent can write must not be what runs as git.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';
import { ToolError } from '@codelab/protocol';

const name = process.platform === 'win32' ? 'git.exe' : 'git';
const found = new Map<string, string>();

export function findProgram(root: string, searchPath = process.env.PATH ?? '/usr/bin:/bin'): string {
  const key = `${root}\0${searchPath}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  for (const folder of searchPath.split(delimiter)) {
    const program = isAbsolute(folder) ? realProgram(join(folder, name)) : undefined;
    if (program === undefined || isInside(program, root) || isInside(folder, root)) continue;
    found.set(key, program);
    return program;
  }
  throw new ToolError('COMMAND_NOT_FOUND', 'git is not installed. Install it, then try again.');
}

function realProgram(path: string): string | undefined {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() ? realpathSync(path) : undefined;
  } catch {
    return undefined;
  }
}

function isInside(path: string, root: string): boolean {
  return path === root || path.startsWith(root.endsWith('/') ? root : `${root}/`);
}
