// After a change of ours: the version of the file that the caller knows now.
import type { Seen } from '@codelab/protocol';
import { identity } from './identity.ts';
import type { Workspace } from './workspace.ts';

export function seeAgain(workspace: Workspace, path: string): Seen[] {
  using place = workspace.locate(path, {
    followLast: false,
    access: 'read',
    pathChars: Number.MAX_SAFE_INTEGER,
  });
  return place.stat === undefined ? [] : [{ path, print: identity(place.stat) }];
}
