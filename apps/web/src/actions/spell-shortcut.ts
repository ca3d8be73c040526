// A shortcut in the words of this machine's keyboard.
const isMac = typeof navigator !== 'undefined' && /Mac|iPhone|iPad/.test(navigator.platform);

const macKeys: Record<string, string> = { Mod: '⌘', Alt: '⌥', Shift: '⇧', Enter: '↩', Escape: 'esc' };
const otherKeys: Record<string, string> = { Mod: 'Ctrl', Escape: 'Esc' };

export function spellShortcut(shortcut: string): string[] {
  const names = isMac ? macKeys : otherKeys;
  return shortcut.split(/[+ ]/).map((key) => names[key] ?? key);
}
