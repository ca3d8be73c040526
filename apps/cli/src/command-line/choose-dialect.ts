// The dialect that --dialect names; one that comes later is wrong usage, not a failed call.
import { type Dialect, findDialect } from '@codelab/dialects';
import { ToolError } from '@codelab/protocol';
import { UsageError } from './usage-error.ts';

export function chooseDialect(name = 'codelab'): Dialect {
  try {
    return findDialect(name);
  } catch (error) {
    throw error instanceof ToolError ? new UsageError(error.message) : error;
  }
}
