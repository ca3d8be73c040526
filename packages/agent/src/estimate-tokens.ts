// About how many tokens a text has, before a provider has counted. Rather too many than too few: room is made by this number.

/** Tokens per character, measured with o200k and cl100k: random digits, capitals and scripts beyond Latin have far more than words. */
const weights = { word: 1 / 3, digit: 0.6, capital: 0.8, beyondAscii: 0.6, ideograph: 1.2 };

/** Beyond this the beginning of a text stands for the rest of it. */
const maxCounted = 200_000;

export function estimateTokens(text: string): number {
  const counted = Math.min(text.length, maxCounted);
  if (counted === 0) return 0;
  let sum = 0;
  for (let at = 0; at < counted; at++) sum += weightOf(text.charCodeAt(at));
  return Math.ceil((sum * text.length) / counted);
}

function weightOf(code: number): number {
  if (code < 0x80) {
    if (code >= 0x30 && code <= 0x39) return weights.digit;
    return code >= 0x41 && code <= 0x5a ? weights.capital : weights.word;
  }
  return code >= 0x2e80 ? weights.ideograph : weights.beyondAscii;
}
