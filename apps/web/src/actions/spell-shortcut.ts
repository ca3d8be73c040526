// Spelling of shortcuts: a key press as in the table (`Mod+Shift+K`, `?`, `G`), and a table entry as this machine's keyboard names it.
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

// With Alt many keyboards type another character, and other alphabets have other letters, so the position of the key decides.
function nameOf({ key, code }: Press, isChord: boolean): string {
  const letter = /^Key([A-Z])$/.exec(code)?.[1];
  if (letter !== undefined && (isChord || !/^[a-z]$/i.test(key))) return letter;
  if (code === 'Backquote' && isChord) return '`';
  return key.length === 1 ? key.toUpperCase() : key;
}

const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

const macKeys: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩', Escape: 'esc' };
const otherKeys: Record<string, string> = { Mod: 'Ctrl', Escape: 'Esc' };

export function spellShortcut(shortcut: string): string[] {
  const names = isMac ? macKeys : otherKeys;
  return shortcut.split(/[+ ]/).map((key) => names[key] ?? key);
}
