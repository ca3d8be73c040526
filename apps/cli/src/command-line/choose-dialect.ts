// The dialect that --dialect names; one that does not exist is wrong usage, not a failed call.
import { type Dialect, findDialect } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import { realRoot } from './real-root.ts';
import { UsageError } from './usage-error.ts';

export function chooseDialect(name = 'codelab', workspace = '.'): Dialect {
  try {
    // What a leading slash means in some of them can be told only where the workspace is known.
    const needsRoot = name === 'kode' || name === 'agent';
    return needsRoot ? findDialect(name, { root: realRoot(workspace) }) : findDialect(name);
  } catch (error) {
    throw error instanceof ToolError ? new UsageError(error.message) : error;
  }
}
