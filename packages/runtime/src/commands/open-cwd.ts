// The folder a command starts in: an existing one inside the workspace, held open so that what was looked at is what is entered.
import { ToolError } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';

/** `path` is relative to the workspace, `''` its root. */
export type OpenCwd = Disposable & { path: string; directory: Directory };

export function openCwd(asked: string, { workspace, limits }: PlanContext): OpenCwd {
  using place = workspace.locate(asked, { followLast: true, access: 'read', pathChars: limits.pathChars });
  if (place.stat === undefined) throw new ToolError('FILE_NOT_FOUND', `Directory not found: ${asked}`);
  if (!place.stat.isDirectory()) throw new ToolError('NOT_A_DIRECTORY', `${asked} is not a directory.`);
  const directory = guarded(asked, () =>
    place.name === '.' ? place.parent.again() : place.parent.openBelow(place.name),
  );
  const path = place.path === '.' ? '' : place.path;
  return { path, directory, [Symbol.dispose]: () => directory[Symbol.dispose]() };
}
