// The last look before a change: is it still the very file that was planned for?
import { lstatSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { identity } from './identity.ts';

/** `expected` is an identity or `absent`. */
export function checkUnchanged(target: string, expected: string, asked: string): void {
  const now = lstatSync(target, { bigint: true, throwIfNoEntry: false });
  const found = now === undefined ? 'absent' : identity(now);
  if (found !== expected) throw staleError(asked);
}

export function staleError(asked: string): ToolError {
  return new ToolError(
    'STALE',
    `${asked} was changed by someone else in the meantime; it was left as they made it. Read it again.`,
  );
}
