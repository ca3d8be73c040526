// The workspace as the core knows it: a folder that exists, by its real path.
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { ToolError } from '@codelab/protocol';

export function realRoot(workspace = '.'): string {
  try {
    return realpathSync(resolve(workspace));
  } catch {
    throw new ToolError('FILE_NOT_FOUND', `There is no folder ${workspace}. Give one with --workspace DIR.`);
  }
}
