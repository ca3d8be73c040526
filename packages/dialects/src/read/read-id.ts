// The id of a call, under the name each dialect has for it.
import type { Json } from '../dialect.ts';
import { checkId } from './check-id.ts';
import { readText } from './read-text.ts';

export function readId(message: Json): string {
  return checkId(readText(message, ['call_id', 'tool_id', 'tool_use_id']) ?? readText(message, ['id']) ?? '');
}
