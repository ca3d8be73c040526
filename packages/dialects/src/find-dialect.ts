// A dialect by its name, as a user or a peer gives it; with a root, one that understands the absolute paths below it.
import { type DialectName, ToolError } from '@codelab/protocol';
import type { Dialect } from './dialect.ts';
import { dialects } from './dialects.ts';

export function findDialect(name: string, { root }: { root?: string } = {}): Dialect {
  if (!Object.hasOwn(dialects, name)) {
    const message = `${JSON.stringify(name)} is not a dialect. Choose one of: ${Object.keys(dialects).join(', ')}.`;
    throw new ToolError('INVALID_ARGUMENTS', message, { field: 'dialect' });
  }
  const dialect = dialects[name as DialectName];
  return root === undefined ? dialect : (dialect.at?.(root) ?? dialect);
}
