// How many columns a text takes on a terminal: colours none, combining marks none, East Asian and emoji two.
import { stripVTControlCharacters } from 'node:util';

const wide =
  /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u;
const zero = /\p{Mn}|\p{Me}/u;
const plain = /^[\x20-\x7e]*$/;

export function displayWidth(text: string): number {
  if (plain.test(text)) return text.length;
  let width = 0;
  for (const character of stripVTControlCharacters(text))
    width += zero.test(character) ? 0 : wide.test(character) ? 2 : 1;
  return width;
}
