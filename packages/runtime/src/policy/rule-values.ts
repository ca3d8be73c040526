// Comparison of rule values: the words of a command part, and the arguments of a foreign tool's call.
import { isDeepStrictEqual } from 'node:util';
import type { CommandPart, RuleEffect, WordsPattern } from '@codelab/protocol';
import { canonicalJson, digest } from '../platform/digest.ts';

export type NamedPart = Pick<CommandPart, 'words' | 'program' | 'cwd' | 'isDynamic'>;

// An allow rule with free arguments covers only arguments known to be harmless; ask and deny rules cover any that follow.
export function fitsWords({ words, more, cwd }: WordsPattern, part: NamedPart, effect: RuleEffect): boolean {
  if (cwd !== undefined && cwd !== part.cwd) return false;
  if (more !== true) return !part.isDynamic && isDeepStrictEqual(words, part.words);
  return isDeepStrictEqual(words, effect === 'allow' ? part.program : part.words.slice(0, words.length));
}

/** The arguments of a call as stored in a rule: each as JSON with sorted keys, a long one as its digest. */
const maxChars = 500;

export function argumentPrints(args: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, printOf(value)]));
}

// No JSON text starts like a digest.
function printOf(value: unknown): string {
  const text = canonicalJson(value);
  return text.length <= maxChars ? text : digest(text);
}

/** Whether a call has exactly the arguments that a rule fixes, besides those it leaves free. */
export function hasArguments(
  { args, free = [] }: { args: Readonly<Record<string, string>>; free?: readonly string[] | undefined },
  callArgs: Readonly<Record<string, unknown>>,
): boolean {
  const fixed = new Map(Object.entries(args));
  const prints = argumentPrints(callArgs);
  return (
    Object.entries(prints).every(([name, print]) => free.includes(name) || fixed.get(name) === print) &&
    [...fixed.keys()].every((name) => Object.hasOwn(prints, name))
  );
}
