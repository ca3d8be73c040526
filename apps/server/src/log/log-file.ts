// The file of the session log, from the words a user gives for it.
import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { ToolError } from '@codelab/protocol';

/** Undefined means the home's own. `root` is the workspace, where it must not be: the tools could change their own record. */
export function logFile(words: string | undefined, root?: string): string | undefined {
  if (words === undefined || words === '') return undefined;
  if (words.startsWith('nats:')) throw invalid('A session log in NATS is not built yet: use sqlite:PATH.');
  const path = /^sqlite:(.+)$/s.exec(words)?.[1];
  if (path === undefined)
    throw invalid(`A session log is given as sqlite:PATH, not as ${JSON.stringify(words)}.`);
  const file = realPathOf(resolve(path));
  if (root !== undefined && isInside(root, file))
    throw invalid('The session log can not be inside the workspace: there its own tools could change it.');
  return file;
}

// The file, and folders above it, may not be there yet.
function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const above = dirname(path);
    return above === path ? path : join(realPathOf(above), basename(path));
  }
}

function isInside(root: string, file: string): boolean {
  const way = relative(root, file);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function invalid(message: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', message, { field: 'log' });
}
