// A value that must be a JSON object.
import { ToolError } from '@codelab/protocol';
import type { Json } from '../dialect.ts';

export function readObject(value: unknown, field: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new ToolError('INVALID_ARGUMENTS', `\`${field}\` must be an object.`, { field });
}
