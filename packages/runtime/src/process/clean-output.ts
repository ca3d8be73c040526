// What a command printed as plain text: instructions to a terminal are taken out, so nothing hides, recolours or moves anything.

// CSI sequences; OSC, DCS and their kind up to their end on the same line; any other escape. An unended one loses its beginning only.
const escapes = new RegExp(
  [
    String.raw`(?:\u001b\[|\u009b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\u001b[\]PX^_]|[\u0090\u0098\u009d-\u009f])[^\u0007\u001b\u009c\n]*(?:\u0007|\u001b\\|\u009c)`,
    String.raw`\u001b[ -/]*[0-~]?`,
  ].join('|'),
  'g',
);
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it looks for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** A lone carriage return becomes a line end: what it would have written over stays to be seen. */
export function cleanOutput(text: string): string {
  if (text.search(controls) === -1) return text;
  return text
    .replace(escapes, '')
    .replace(/\r*\n|\r+/g, '\n')
    .replace(controls, '');
}
