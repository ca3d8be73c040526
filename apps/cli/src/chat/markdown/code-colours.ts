// Loads the colours of code when the first turn begins, so that the start of a chat does not wait for them.
import type { Highlighter } from './highlight.ts';

let find: ((language: string) => Highlighter | undefined) | undefined;

export async function loadCodeColours(): Promise<void> {
  find ??= (await import('./highlight.ts')).highlighterFor;
}

/** Undefined until the colours are loaded, and for a language without colours. */
export function coloursFor(language: string): Highlighter | undefined {
  return find?.(language);
}
