// Listens to the keyboard once for the whole page and starts the matching action.
import { useEffect } from 'react';
import { shortcuts } from '../keys.ts';
import { runAction } from './actions.ts';
import { spellPress } from './spell-shortcut.ts';

const sequenceMs = 1200;
const byKeys = new Map(Object.entries(shortcuts).map(([id, keys]) => [keys, id]));
const beginnings = new Set([...byKeys.keys()].filter((keys) => keys.includes(' ')).map((keys) => keys[0]));

export function useShortcuts(): void {
  useEffect(() => {
    let first = '';
    let firstAt = 0;
    const onKey = (event: KeyboardEvent): void => {
      if (event.isComposing || event.defaultPrevented) return;
      const press = spellPress(event);
      const isChord = press.startsWith('Mod+') || press.startsWith('Alt+');
      if (!isChord && isTyping(event.target)) return;
      // A dialog has the keyboard to itself.
      if (!isChord && document.querySelector('dialog[open]') !== null) return;
      const isSecond = first !== '' && event.timeStamp - firstAt < sequenceMs;
      const id = (isSecond ? byKeys.get(`${first} ${press}`) : undefined) ?? byKeys.get(press);
      first = id === undefined && beginnings.has(press) ? press : '';
      firstAt = event.timeStamp;
      if (id !== undefined && runAction(id)) event.preventDefault();
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
}

function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName);
}
