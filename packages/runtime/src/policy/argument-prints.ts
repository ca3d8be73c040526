// The arguments of a call as a rule keeps them: each as JSON with sorted keys, a long one as its digest.
import { canonicalJson, digest } from '../platform/digest.ts';

const maxChars = 500;

export function argumentPrints(args: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [name, printOf(value)]));
}

// No JSON text begins like a digest.
function printOf(value: unknown): string {
  const text = canonicalJson(value);
  return text.length <= maxChars ? text : digest(text);
}

/** Whether a call has exactly the arguments that a rule fixes, besides those it leaves free. */
export function hasArguments(
  { args, free = [] }: { args: Readonly<Record<string, string>>; free?: readonly string[] | undefined },
  given: Readonly<Record<string, unknown>>,
): boolean {
  const fixed = new Map(Object.entries(args));
  const prints = argumentPrints(given);
  return (
    Object.entries(prints).every(([name, print]) => free.includes(name) || fixed.get(name) === print) &&
    [...fixed.keys()].every((name) => Object.hasOwn(prints, name))
  );
}
