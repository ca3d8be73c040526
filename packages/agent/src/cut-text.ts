// A long text as its beginning and its end, with a line between that says how much is missing.
import { estimateTokens, lengthWithin, startWithin } from './estimate-tokens.ts';

export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const half = Math.floor(most / 2);
  const head = text.slice(0, endOfCharacter(text, half));
  const tail = text.slice(endOfCharacter(text, text.length - half));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

// Never between the halves of a surrogate pair.
function endOfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** The largest result that is shown whole, whatever the window. */
const mostTokens = 10_000;
const shareOfWindow = 1 / 6;

/** How much of the window one result may take. */
export function resultTokens(contextTokens: number): number {
  return Math.floor(Math.min(mostTokens, contextTokens * shareOfWindow));
}

/** `readOn` says how what is left out can be read, from a byte on. */
export function boundText(text: string, tokens: number, readOn: (byte: number) => string): string {
  if (estimateTokens(text) <= tokens) return text;
  const head = text.slice(0, endOfCharacter(text, lengthWithin(text, tokens / 2)));
  const tail = text.slice(endOfCharacter(text, Math.max(head.length, startWithin(text, tokens / 2))));
  const left = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${head}\n[… ${left} bytes left out. ${readOn(Buffer.byteLength(head))} …]\n${tail}`;
}

/** The beginning of a text that has at most so many tokens. */
export function headOf(text: string, tokens: number): string {
  return text.slice(0, endOfCharacter(text, lengthWithin(text, tokens)));
}

/** The end of a text that has at most so many tokens. */
export function tailOf(text: string, tokens: number): string {
  return text.slice(endOfCharacter(text, startWithin(text, tokens)));
}
