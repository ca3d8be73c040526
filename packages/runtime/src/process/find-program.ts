// The program a bare name stands for, in the trusted folders alone; a program of the workspace is never taken for it.
import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { isWithin, trustedPath } from './trusted-path.ts';

export function findProgram(name: string, root: string): string {
  if (name === '' || name.includes('/') || name.includes('\0'))
    throw new ToolError('INVALID_ARGUMENTS', '`command` is the bare name of a program, as in `git`.', {
      field: 'command',
    });
  for (const folder of trustedPath(root)) {
    const path = join(folder, name);
    if (isProgram(path, root)) return path;
  }
  throw new ToolError('COMMAND_NOT_FOUND', `There is no program ${JSON.stringify(name)} on this machine.`, {
    program: name,
  });
}

function isProgram(path: string, root: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() && !isWithin(realpathSync(path), root);
  } catch {
    return false;
  }
}
