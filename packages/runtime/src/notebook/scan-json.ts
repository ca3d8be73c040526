// Finds where JSON values end in a text, without building them.
import { ToolError } from '@codelab/protocol';

/**
 * Scans as strictly as RFC 8259 requires. The stack of open brackets is explicit, so deep nesting is refused instead of overflowing the
 * call stack.
 */
const MAX_DEPTH = 1_000;

/** The offset after the value that begins at `start` or after the blanks there. */
export function skipValue(source: string, start: number): number {
  const closers: string[] = [];
  let at = start;
  for (;;) {
    at = skipBlanks(source, at);
    const closer = CLOSER[source[at] ?? ''];
    if (closer === undefined) at = skipScalar(source, at);
    else {
      if (closers.length === MAX_DEPTH) throw tooDeep(at);
      closers.push(closer);
      at = skipBlanks(source, at + 1);
      if (source[at] !== closer) {
        if (closer === '}') at = skipKey(source, at);
        continue;
      }
    }
    at = closeValues(source, at, closers);
    if (closers.length === 0) return at;
  }
}

const CLOSER: Record<string, string> = { '{': '}', '[': ']' };

/** After a value: closes the brackets that end here and moves to the next value, if there is one. */
function closeValues(source: string, start: number, closers: string[]): number {
  let at = start;
  while (closers.length > 0) {
    at = skipBlanks(source, at);
    const closer = closers.at(-1);
    if (source[at] === ',') return closer === '}' ? skipKey(source, skipBlanks(source, at + 1)) : at + 1;
    if (source[at] !== closer) throw invalidJson(source, at);
    closers.pop();
    at++;
  }
  return at;
}

/** Skips a key and its colon. */
function skipKey(source: string, start: number): number {
  const colon = skipBlanks(source, skipString(source, start));
  if (source[colon] !== ':') throw invalidJson(source, colon);
  return colon + 1;
}

const WORD = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;

function skipScalar(source: string, start: number): number {
  if (source[start] === '"') return skipString(source, start);
  WORD.lastIndex = start;
  if (!WORD.test(source)) throw invalidJson(source, start);
  return WORD.lastIndex;
}

function tooDeep(offset: number) {
  return notebookFault(`Notebook is nested deeper than ${MAX_DEPTH} levels.`, { offset });
}

/** The offset after a JSON string. */
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

/** The next offset that is none of the four blanks of JSON. */
export function skipBlanks(source: string, start: number): number {
  let at = start;
  for (;;) {
    const unit = source.charCodeAt(at);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return at;
    at++;
  }
}

/** The error for a notebook that is not JSON, with the offset where parsing stopped. */
export function invalidJson(source: string, offset: number): ToolError {
  const before = source.slice(0, offset);
  const line = before.split('\n').length;
  const column = offset - before.lastIndexOf('\n');
  return notebookFault('Notebook is not valid JSON.', { line, column, offset });
}

/** The error for a notebook that cannot be edited: the file is invalid, not the arguments. */
export function notebookFault(message: string, details?: Record<string, unknown>): ToolError {
  return new ToolError('EXECUTION_FAILED', message, details);
}
