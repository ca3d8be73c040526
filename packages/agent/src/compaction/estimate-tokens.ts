// Estimates the tokens of a text before a provider has counted. Rather too many than too few, because compaction relies on this number.
// Tokenizers take words whole, and split other text where letters, capitals and digits meet: so hashes, base64 and ids have
// many tokens for their length, and scripts beyond Latin have about one per character. Measured with o200k and cl100k.

/** A longer text is estimated by evenly spread samples. */
const maxCounted = 200_000;
const samples = 50;

export function estimateTokens(text: string): number {
  if (text.length <= maxCounted)
    return Math.ceil(count(text, 0, text.length, Number.POSITIVE_INFINITY).tokens);
  const size = maxCounted / samples;
  const step = (text.length - size) / (samples - 1);
  let tokens = 0;
  for (let at = 0; at < samples; at++) {
    const from = Math.floor(at * step);
    tokens += count(text, from, from + size, Number.POSITIVE_INFINITY).tokens;
  }
  return Math.ceil((tokens * text.length) / maxCounted);
}

/** How many characters from the start fit into this many tokens. */
function lengthWithin(text: string, tokens: number): number {
  return count(text, 0, text.length, tokens).end;
}

/** The index from which the rest of a text fits into this many tokens. */
function startWithin(text: string, tokens: number): number {
  let from = text.length;
  for (let remaining = tokens; from > 0 && remaining > 0; ) {
    const next = Math.max(0, from - 256);
    const piece = count(text, next, from, Number.POSITIVE_INFINITY).tokens;
    if (piece > remaining) break;
    remaining -= piece;
    from = next;
  }
  return from;
}

const kinds = { space: 0, lower: 1, upper: 2, digit: 3, mark: 4, newline: 5 } as const;
let asciiKinds: Uint8Array | undefined;

function kindOf(code: number): number {
  if (code >= 0x61 && code <= 0x7a) return kinds.lower;
  if (code >= 0x41 && code <= 0x5a) return kinds.upper;
  if (code >= 0x30 && code <= 0x39) return kinds.digit;
  if (code === 0x20) return kinds.space;
  return code === 0x0a || code === 0x0d ? kinds.newline : kinds.mark;
}

/** Per character that begins a word, continues it, or begins another piece of it. */
const weights = {
  word: 0.6,
  letter: 0.17,
  noWord: 0.55,
  capital: 0.5,
  afterCapital: 0.6,
  piece: 0.8,
  digit: 0.52,
  mark: 0.78,
  space: 0.12,
  blank: 0.06,
};
/** No word has more letters than this. */
const longestWord = 14;
/** By first code point; rarer scripts have fewer characters per token. */
const scripts: readonly [from: number, weight: number][] = [
  [0x3000, 1.25],
  [0x2000, 1.4],
  [0x0900, 1.3],
  [0x0600, 0.8],
  [0x0080, 0.62],
];

function count(text: string, from: number, to: number, maxTokens: number): { tokens: number; end: number } {
  asciiKinds ??= Uint8Array.from({ length: 128 }, (_, code) => kindOf(code));
  pairWeights ??= Float64Array.from({ length: 48 }, (_, pair) => weightOf(pair & 7, pair >> 3));
  let tokens = 0;
  let before: number = kinds.newline;
  let letters = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    const kind = code < 128 ? (asciiKinds[code] ?? kinds.mark) : kinds.mark;
    letters = kind === kinds.lower ? letters + 1 : 0;
    if (code >= 128) tokens += scriptWeight(code);
    else tokens += letters > longestWord ? weights.noWord : (pairWeights[before * 8 + kind] ?? weights.mark);
    if (tokens > maxTokens) return { tokens, end: at };
    before = kind;
  }
  return { tokens, end: to };
}

/**
 * By the kind of the previous character and of the current one: the first request is counted before any code is optimized, where only a
 * table look-up is fast.
 */
let pairWeights: Float64Array | undefined;

function weightOf(kind: number, before: number): number {
  const isInWord = before === kinds.lower || before === kinds.upper || before === kinds.digit;
  switch (kind) {
    case kinds.space:
      return before === kinds.space ? weights.blank : weights.space;
    case kinds.newline:
      return before === kinds.newline ? weights.blank : weights.mark;
    case kinds.mark:
      return weights.mark;
    case kinds.digit:
      return before === kinds.digit || !isInWord ? weights.digit : weights.piece;
    default:
      if (!isInWord) return weights.word;
      // A capital inside a word begins a piece of it, unless the word is all capitals.
      if (before === kind) return kind === kinds.upper ? weights.capital : weights.letter;
      return kind === kinds.lower && before === kinds.upper ? weights.afterCapital : weights.piece;
  }
}

function scriptWeight(code: number): number {
  for (const [from, weight] of scripts) if (code >= from) return weight;
  return weights.mark;
}

/** A long text as its beginning and its end, with a line between that says how much is missing. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const half = Math.floor(maxChars / 2);
  const head = text.slice(0, endOfCharacter(text, half));
  const tail = text.slice(endOfCharacter(text, text.length - half));
  return `${head}\n[… ${text.length - head.length - tail.length} characters left out …]\n${tail}`;
}

/** Never splits a surrogate pair. */
function endOfCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

/** The largest result that is shown whole, whatever the window. */
const mostTokens = 10_000;
const shareOfWindow = 1 / 6;

/** How many tokens of the window one result may take. */
export function resultTokens(contextTokens: number): number {
  return Math.floor(Math.min(mostTokens, contextTokens * shareOfWindow));
}

/** `readOn` says how the rest can be read, from a byte offset. */
export function boundText(text: string, tokens: number, readOn: (byte: number) => string): string {
  if (estimateTokens(text) <= tokens) return text;
  const head = text.slice(0, endOfCharacter(text, lengthWithin(text, tokens / 2)));
  const tail = text.slice(endOfCharacter(text, Math.max(head.length, startWithin(text, tokens / 2))));
  const leftOut = Buffer.byteLength(text) - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return `${head}\n[… ${leftOut} bytes left out. ${readOn(Buffer.byteLength(head))} …]\n${tail}`;
}

/** The start of a text that fits into this many tokens. */
export function headWithin(text: string, tokens: number): string {
  return text.slice(0, endOfCharacter(text, lengthWithin(text, tokens)));
}

/** The end of a text that fits into this many tokens. */
export function tailWithin(text: string, tokens: number): string {
  return text.slice(endOfCharacter(text, startWithin(text, tokens)));
}
