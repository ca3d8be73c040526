// The palette's list: groups, recently used actions, and the order of search results.
import { expect, test } from 'vitest';
import type { Action } from './actions.ts';
import { groupActions } from './group-actions.ts';

const action = (id: string, group: Action['group'], label: string): Action => ({
  id,
  group,
  label,
  run: () => undefined,
});
const all = [
  action('go.files', 'go', 'Files'),
  action('theme.dark', 'view', 'Theme: Dark'),
  action('session.new', 'session', 'New session'),
  action('go.sessions', 'go', 'Sessions'),
  action('go.settings', 'go', 'Settings'),
];
const look = (query: string, recent: readonly string[] = []) =>
  groupActions(all, query, recent).map(({ name, actions }) => [name, ...actions.map(({ id }) => id)]);

test('without a word they stand in groups, and what was used lately above them, once', () => {
  expect(look('')).toEqual([
    ['session', 'session.new'],
    ['go', 'go.files', 'go.sessions', 'go.settings'],
    ['view', 'theme.dark'],
  ]);
  expect(look(' ', ['go.settings', 'gone', 'go.files'])).toEqual([
    ['recent', 'go.settings', 'go.files'],
    ['session', 'session.new'],
    ['go', 'go.sessions'],
    ['view', 'theme.dark'],
  ]);
});

test('with a word they stand as they fit, and of equals the one used lately first', () => {
  expect(look('se')).toEqual([['found', 'session.new', 'go.sessions', 'go.settings']]);
  expect(look('se', ['go.settings'])).toEqual([['found', 'go.settings', 'session.new', 'go.sessions']]);
  expect(look('nothing like it')).toEqual([['found']]);
});
