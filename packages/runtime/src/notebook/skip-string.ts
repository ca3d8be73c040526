/** The place behind a JSON string. */
import { invalidJson } from './invalid-json.ts';

export function skipString(source: string, start: number): number {
  if (source[start] !== '"') throw invalidJson(source, start);
  let at = start + 1;
  for (;;) {
    const unit = source.charCodeAt(at);
    if (unit === 0x22) return at + 1;
    if (unit === 0x5c) at = skipEscape(source, at);
    else if (unit >= 0x20) at++;
    else throw invalidJson(source, at);
  }
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

function skipEscape(source: string, start: number): number {
  ESCAPE.lastIndex = start;
  if (!ESCAPE.test(source)) throw invalidJson(source, start);
  return ESCAPE.lastIndex;
}
