import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { setWorkspaceMode, workspaceMode } from './workspace-mode.ts';

const home = mkdtempSync(join(tmpdir(), 'codelab-modes-'));
afterAll(() => rmSync(home, { recursive: true }));

test('a choice is kept for its own workspace, replaced, and forgotten', async () => {
  expect(workspaceMode(home, '/a')).toBeUndefined();
  await Promise.all([setWorkspaceMode(home, '/a', 'review'), setWorkspaceMode(home, '/b', 'balanced')]);
  expect([workspaceMode(home, '/a'), workspaceMode(home, '/b'), workspaceMode(home, '/c')]).toEqual([
    'review',
    'balanced',
    undefined,
  ]);
  await setWorkspaceMode(home, '/a', 'strict');
  await setWorkspaceMode(home, '/b', undefined);
  expect(JSON.parse(readFileSync(join(home, 'modes.json'), 'utf8'))).toEqual({ '/a': 'strict' });
});

test('an entry that is no mode, and a name that every object has, are no choice', () => {
  writeFileSync(join(home, 'modes.json'), '{"/a": "everything", "/b": "review"}');
  expect([workspaceMode(home, '/a'), workspaceMode(home, '/b'), workspaceMode(home, 'constructor')]).toEqual([
    undefined,
    'review',
    undefined,
  ]);
});
