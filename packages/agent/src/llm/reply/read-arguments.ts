// Parses the arguments of a call as the model wrote them: an object, or an error that the model can act on.
import { limitProfiles, parseJson } from '@codelab/protocol';

export type ArgumentsOrProblem = { args: Record<string, unknown>; problem?: string };

const { argsBytes, argsDepth } = limitProfiles.codelab;
export const maxArgumentChars = argsBytes;

/** `wasCut`: the reply reached its length limit while the arguments were written. */
export function parseArguments(text: string, wasCut: boolean): ArgumentsOrProblem {
  if (text.length > maxArgumentChars)
    return broken(
      `The arguments are longer than ${maxArgumentChars} characters. Send them in smaller parts.`,
    );
  if (text.trim() === '') return wasCut ? broken(cutArguments) : { args: {} };
  const read = tryParse(text);
  const value = read instanceof Error ? tryParse(repaired(text)) : read;
  if (value instanceof Error) return broken(wasCut ? cutArguments : notJson((read as Error).message, text));
  // Some models encode the object as a string once more.
  const inner = typeof value === 'string' ? tryParse(value) : value;
  if (isObject(inner)) return { args: inner };
  return broken(`The arguments must be one JSON object, not ${kindOf(value)}. Make the call again.`);
}

export const cutArguments =
  'The arguments were cut off: the reply ran out of room. Make the call again with less in it, or in several calls.';

function notJson(reason: string, text: string): string {
  const excerpt = text.length > 200 ? `${text.slice(0, 100)}…${text.slice(-100)}` : text;
  return `The arguments can't be read. ${reason} They were: ${excerpt.toWellFormed()}\nMake the call again with valid JSON.`;
}

/**
 * Repairs JSON errors of models and servers that can have only one meaning: a code fence around the JSON, an empty object before it, and
 * unescaped control characters in a string.
 */
function repaired(text: string): string {
  const [, fenced] = /^\s*```(?:json)?\s*\n([\s\S]*?)\n?\s*```\s*$/.exec(text) ?? [];
  const json = (fenced ?? text).replace(/^\s*\{\s*\}\s*(?=\{)/, '');
  return json.replace(/"(?:[^"\\]|\\[\s\S])*"/g, (string) =>
    string.replace(/[\n\r\t]/g, (char) => escapes[char] ?? char),
  );
}

const escapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function tryParse(text: string): unknown {
  try {
    return parseJson(text, { bytes: argsBytes, depth: argsDepth });
  } catch (error) {
    return error;
  }
}

function broken(problem: string): ArgumentsOrProblem {
  return { args: {}, problem };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Error);
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`;
}
