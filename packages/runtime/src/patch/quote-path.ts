/** Quotes a file name the way git prints it (core.quotePath on); a plain name comes back as it is. */
export function quotePath(name: string): string {
  if (PLAIN.test(name)) return name;
  return `"${Array.from(new TextEncoder().encode(name), escapeByte).join('')}"`;
}

/** Printable ASCII without the double quote and the backslash. */
const PLAIN = /^[ !#-[\]-~]*$/;

const SHORT_ESCAPES: Record<string, string> = {
  '\x07': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '"': '\\"',
  '\\': '\\\\',
};

function escapeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (PLAIN.test(character)) return character;
  return SHORT_ESCAPES[character] ?? `\\${byte.toString(8).padStart(3, '0')}`;
}
