// Which shortcut a key press is, in the spelling of the table: `Mod+Shift+K`, `?`, `G`.
type Press = {
  key: string;
  code: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
};

export function spellPress(press: Press): string {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = press;
  const isMod = ctrlKey || metaKey;
  const name = nameOf(press, isMod || altKey);
  // Shift is part of a character that has no letter case: `?`, not `Shift+?`.
  const namesShift = shiftKey && (key.length > 1 || /^[A-Z]$/.test(name));
  return [isMod && 'Mod', altKey && 'Alt', namesShift && 'Shift', name].filter(Boolean).join('+');
}

// With Alt many keyboards type another character, and in other alphabets letters are others: the place of the key tells.
function nameOf({ key, code }: Press, isChord: boolean): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined && (isChord || !/^[a-z]$/i.test(key))) return letter;
  if (code === 'Backquote' && isChord) return '`';
  return key.length === 1 ? key.toUpperCase() : key;
}
