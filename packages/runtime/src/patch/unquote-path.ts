/** Reads a name git has quoted as in C, from its opening quote on; null when the quoting is broken or not UTF-8. */
export function unquotePath(text: string): { name: string; rest: string } | null {
  const end = closingQuote(text);
  if (end === -1) return null;
  const inner = text.slice(1, end);
  const name = inner.includes('\\') ? decode(inner) : inner;
  return name === null ? null : { name, rest: text.slice(end + 1) };
}

const ESCAPED_BYTES: Record<string, number> = {
  a: 7,
  b: 8,
  t: 9,
  n: 10,
  v: 11,
  f: 12,
  r: 13,
  '"': 34,
  '\\': 92,
};

function closingQuote(text: string): number {
  for (let at = 1; at < text.length; at++) {
    if (text[at] === '"') return at;
    if (text[at] === '\\') at++;
  }
  return -1;
}

function decode(inner: string): string | null {
  const encoder = new TextEncoder();
  const parts: Uint8Array[] = [];
  for (const [piece] of inner.matchAll(/\\[0-3][0-7]{2}|\\.|[^\\]+/gs)) {
    if (!piece.startsWith('\\')) {
      parts.push(encoder.encode(piece));
      continue;
    }
    const byte = piece.length === 4 ? Number.parseInt(piece.slice(1), 8) : ESCAPED_BYTES[piece.slice(1)];
    if (byte === undefined) return null;
    parts.push(Uint8Array.of(byte));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(concatenate(parts));
  } catch {
    return null;
  }
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
