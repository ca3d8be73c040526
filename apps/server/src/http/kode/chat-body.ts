// The model's notes on a request to the Kode service besides the message.
import { statSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { KodeRequest } from '@codelab/api';
import { ToolError } from '@codelab/protocol';

/** The message with the context that a client sent; every path must lie in the workspace. */
export function promptOf({ message, outputsPath, context }: KodeRequest, root: string): string {
  const facts = [
    ['Working directory', context?.workingDir],
    ['Notebook', context?.notebookPath],
    ['Write outputs to', outputsPath],
  ].flatMap(([name, path]) => (path ? [`${name}: ${inside(root, path)}`] : []));
  return facts.length === 0 ? message : `${message}\n\n${facts.join('\n')}`;
}

export function namedFiles({ context }: KodeRequest, root: string): string[] {
  return (context?.files ?? []).map((file) => inside(root, typeof file === 'string' ? file : file.path));
}

/** Relative to the root of the workspace; a missing folder is refused. */
export function workingDirOf({ context }: KodeRequest, root: string): string {
  const path = inside(root, context?.workingDir ?? '.');
  if (statSync(join(root, path), { throwIfNoEntry: false })?.isDirectory()) return path;
  throw new ToolError('FILE_NOT_FOUND', `There is no folder ${path}. Use another workingDir.`, {
    field: 'workingDir',
  });
}

// Written on one line, so that no path can pass for text of the user.
function inside(root: string, path: string): string {
  const found = relative(root, resolve(root, path)) || '.';
  if (/[\p{Cc}"]/u.test(path))
    throw new ToolError('INVALID_PATH', 'The path contains a quote or a control character.');
  if (found === '..' || found.startsWith('../') || resolve(found) === found)
    throw new ToolError(
      'PATH_OUTSIDE_WORKSPACE',
      `${path} is not in the workspace of this gateway, ${root}.`,
    );
  return found;
}
