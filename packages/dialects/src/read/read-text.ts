// A field that must be text when it is there.
import { ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';
import { readField } from './read-field.ts';

export function readText(message: Json, names: readonly string[]): string | undefined {
  const value = readField(message, names);
  if (value === undefined || typeof value === 'string') return value;
  throw new ToolError('INVALID_ARGUMENTS', `\`${names[0]}\` must be a string.`, { field: names[0] });
}
