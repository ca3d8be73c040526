/**
 * Finds where a JSON value ends, as strictly as RFC 8259 asks. It keeps its own stack of open brackets, so that
 * deep nesting costs a refusal and not the call stack.
 */
import { invalidJson } from './invalid-json.ts';
import { notebookFault } from './notebook-fault.ts';
import { skipBlanks } from './skip-blanks.ts';
import { skipString } from './skip-string.ts';

const MAX_DEPTH = 1_000;

/** The place behind the value that begins at `start` or after the blanks there. */
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

/** After a value: closes what ends here and goes on to the next value, if one follows. */
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

/** A key and its colon. */
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
