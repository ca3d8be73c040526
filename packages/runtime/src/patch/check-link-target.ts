/** Whether a symbolic link that a patch makes stays inside the workspace, whatever is or comes to be on its way. */
import { ToolError } from '@codelab/protocol';
import type { PlanContext } from '../core/define-tool.ts';
import { patchFailure } from './patch-failure.ts';

const MAX_BYTES = 4095;

/** `bytes` is the link's text with one character for each byte; returns it as text. */
export function checkLinkTarget(path: string, bytes: string, { workspace, limits }: PlanContext): string {
  const target = Buffer.from(bytes, 'latin1').toString('utf8');
  const isText = Buffer.from(target).equals(Buffer.from(bytes, 'latin1'));
  if (!isText || bytes.length > MAX_BYTES || /^$|[\0\n\r]/.test(target))
    throw patchFailure(
      'The target of the symbolic link is not a path. It is one line, and "\\ No newline at end of file" follows it.',
      { path },
    );
  const leadsTo = pathFrom(path, target);
  try {
    if (leadsTo === undefined) throw new ToolError('PATH_OUTSIDE_WORKSPACE', '');
    if (leadsTo === '') return target;
    workspace
      .locate(leadsTo, { followLast: true, access: 'write', pathChars: limits.pathChars })
      [Symbol.dispose]();
    return target;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    const shown = JSON.stringify(target.slice(0, 200));
    throw patchFailure(
      `The symbolic link to ${shown} leads to where no tool may write. Only a relative target inside the workspace is taken, with ".." only at its start.`,
      { path },
      { reason: error.code },
    );
  }
}

/**
 * Where the target is, seen from the workspace; undefined when it leaves it. A `..` after a name is not taken: should that
 * name be a link, or become one, it leads up from somewhere else. At the start it leads up from the link's own folder.
 */
function pathFrom(path: string, target: string): string | undefined {
  if (target.startsWith('/')) return undefined;
  const folders = path.split('/').slice(0, -1);
  const names = target.split('/').filter((name) => name !== '' && name !== '.');
  while (names[0] === '..') {
    if (folders.pop() === undefined) return undefined;
    names.shift();
  }
  return names.includes('..') ? undefined : [...folders, ...names].join('/');
}
