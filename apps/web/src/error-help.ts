// The parts of an error: what its code means, its first sentence, and its details.

import type { ErrorWords } from './text/en/errors.ts';
import type { UiTexts } from './text/en.ts';

/** Of the first of these codes that has words. */
export function errorWords({ errors }: Pick<UiTexts, 'errors'>, ...codes: readonly string[]): ErrorWords {
  const table = errors();
  const known = codes.find((code) => Object.hasOwn(table, code));
  return (known === undefined ? undefined : table[known]) ?? ['', ''];
}

/** For whatever was thrown: what happened in the language of the screen, and the message, which is English. */
export function errorMessage(error: unknown, texts: UiTexts): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const [what] = errorWords(texts, code);
  return what === '' ? message : `${what}${texts.conversation.colon}${message}`;
}

type ErrorText = { sentence: string; detail: string };

/** The sentence that is read first, and the rest. An answer in JSON is read as the message in it, escaped line breaks as line breaks. */
export function errorText(message: string): ErrorText {
  const text = withLineBreaks(messageIn(message)).trim();
  const [line = ''] = text.split('\n', 1);
  // A sentence ends where a capital follows: a dot inside of a name or an abbreviation is no end.
  const sentence = /^.{12,}?(?:[.!?](?=\s+[\p{Lu}\p{Lo}`"'(])|[。！？])/u.exec(line)?.[0] ?? line;
  return { sentence, detail: text.slice(sentence.length).trim() };
}

const mostLevels = 4;

/** Servers of models and of MCP answer `{"error":{"message":"…"}}`, often behind words of our own. */
function messageIn(message: string): string {
  const at = message.indexOf('{');
  if (at === -1 || !message.trimEnd().endsWith('}')) return message;
  try {
    const inner = innerMessage(JSON.parse(message.slice(at)), mostLevels);
    return inner === undefined ? message : `${message.slice(0, at)}${inner}`;
  } catch {
    return message;
  }
}

function innerMessage(value: unknown, levels: number): string | undefined {
  if (typeof value === 'string') return value === '' ? undefined : value;
  if (typeof value !== 'object' || value === null || levels === 0) return undefined;
  for (const name of ['message', 'error', 'detail', 'reason']) {
    const found = innerMessage((value as Record<string, unknown>)[name], levels - 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A text with line breaks of its own is left alone, and so is one with a path of Windows, such as `C:\new`. */
function withLineBreaks(text: string): string {
  if (text.includes('\n') || /[A-Za-z]:\\/.test(text)) return text;
  return text
    .replaceAll(/(?:\\r)?\\n/g, '\n')
    .replaceAll('\\t', '\t')
    .replaceAll('\\"', '"');
}
