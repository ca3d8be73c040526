// Cuts bytes and text so that nothing is torn: no character in the middle, no instruction to a terminal in the middle.

/** Without the first bytes of a character whose rest is missing. */
export function wholeEnd(bytes: Buffer): Buffer {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes;
    if (byte >= 0xc0) return lengthOf(byte) > back ? bytes.subarray(0, bytes.length - back) : bytes;
  }
  return bytes;
}

/** Without the last bytes of a character whose beginning is missing. */
export function wholeStart(bytes: Buffer): Buffer {
  let at = 0;
  while (at < 3 && at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++;
  return bytes.subarray(at);
}

// Bounded, so that what never ends is not waited for.
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const unfinished = /\u001b(?:\[[0-?]{0,32}[ -/]{0,4}|[\]PX^_][^\u0007\u001b\n]{0,200})?$/;

/** The text up to an escape sequence that has begun at its end and may still go on. */
export function wholeText(text: string): string {
  const tail = text.slice(-256);
  const at = tail.search(unfinished);
  return at === -1 ? text : text.slice(0, text.length - tail.length + at);
}

function lengthOf(lead: number): number {
  return lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
}
