// A dialect by its name, as a user or a peer gives it.
import { DialectName, ToolError } from '@codelab/protocol';
import type { Dialect } from './dialect.ts';
import { dialects } from './dialects.ts';

export function findDialect(name: string): Dialect {
  if (Object.hasOwn(dialects, name)) return dialects[name as keyof typeof dialects];
  const fault = DialectName().safeParse(name).success ? 'is known but comes later' : 'is not a dialect';
  const known = Object.keys(dialects).join(', ');
  throw new ToolError('INVALID_ARGUMENTS', `${JSON.stringify(name)} ${fault}. Choose one of: ${known}.`, {
    field: 'dialect',
  });
}
