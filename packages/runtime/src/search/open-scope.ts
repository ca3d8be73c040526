// The place a search starts from: an open directory, or an open file in one.
import { ToolError } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';
import { type OpenFile, openRegular, tooLarge } from '../workspace/read-bytes.ts';

export type Scope = Disposable & {
  path: string;
  links: string[];
  directory: Directory;
  /** Set when a single file was named. */
  file: OpenFile | undefined;
  /** The workspace's path of something found below. */
  pathOf(below: string): string;
};

export function openScope(asked: string, { workspace, limits }: PlanContext): Scope {
  using place = workspace.locate(asked, { followLast: true, access: 'read', pathChars: limits.pathChars });
  const { path, links, name, parent, stat } = place;
  if (stat === undefined) throw new ToolError('FILE_NOT_FOUND', `File not found: ${asked}`);
  using opened = new DisposableStack();
  const isDirectory = stat.isDirectory();
  const file = isDirectory ? undefined : opened.use(openRegular(place));
  if (file !== undefined && file.stat.size > limits.pagedFileBytes)
    throw tooLarge(asked, Number(file.stat.size), limits.pagedFileBytes);
  const directory = opened.use(
    guarded(asked, () => (isDirectory && name !== '.' ? parent.openBelow(name) : parent.again())),
  );
  const held = opened.move();
  const prefix = path === '.' ? '' : `${path}/`;
  const pathOf = (below: string): string => (file === undefined ? prefix + below : path);
  return { path, links, directory, file, pathOf, [Symbol.dispose]: () => held.dispose() };
}
