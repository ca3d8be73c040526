// A character that can't be told from another by looking at it, named: `U+0441 (с)`.
import { visibleLine } from '@codelab/protocol';

export function nameCodePoint(character: string): string {
  const code = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  const isShown = visibleLine(character) === character && !/[\p{C}\p{Z}]/u.test(character);
  return isShown ? `${code} (${character})` : code;
}
