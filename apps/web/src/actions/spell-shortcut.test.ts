import { expect, test } from 'vitest';
import { rankActions } from './group-actions.ts';
import { spellPress } from './spell-shortcut.ts';

const none = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };

test.each([
  ['Mod+K', { key: 'k', code: 'KeyK', ctrlKey: true }],
  ['Mod+K', { key: 'k', code: 'KeyK', metaKey: true }],
  ['Mod+K', { key: 'л', code: 'KeyK', ctrlKey: true }],
  ['Mod+Alt+B', { key: '∫', code: 'KeyB', metaKey: true, altKey: true }],
  ['?', { key: '?', code: 'Slash', shiftKey: true }],
  ['G', { key: 'g', code: 'KeyG' }],
  ['Shift+G', { key: 'G', code: 'KeyG', shiftKey: true }],
  ['Shift+Enter', { key: 'Enter', code: 'Enter', shiftKey: true }],
])('%s', (keys, press) => {
  expect(spellPress({ ...none, ...press })).toBe(keys);
});

test('the palette finds all words, those that begin something first', () => {
  const action = (id: string, label: string) => ({
    id,
    label,
    group: 'other' as const,
    run: () => undefined,
  });
  const all = [action('a', 'Show the panel'), action('b', 'New session'), action('c', 'Session list')];
  expect(rankActions(all, 'sess').map(({ id }) => id)).toEqual(['b', 'c']);
  expect(rankActions(all, 'panel show').map(({ id }) => id)).toEqual(['a']);
  expect(rankActions(all, 'nothing')).toEqual([]);
});
