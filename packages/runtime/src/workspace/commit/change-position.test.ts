import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digest } from '../../platform/digest.ts';
import { identity } from '../directory.ts';
import { Workspace } from '../workspace.ts';
import type { Change } from './change.ts';
import { changePositionOf } from './change-position.ts';

// git makes files anew, and the file system gives them the inode numbers of those they replace.
test('a file that was made since, under the same inode number and with the old content, is somebody else’s', () => {
  const folder = mkdtempSync(join(realpathSync(tmpdir()), 'position-'));
  try {
    const [root, home] = [join(folder, 'work'), join(folder, 'home')];
    mkdirSync(root);
    mkdirSync(join(home, 'trash', '1-ab'), { recursive: true, mode: 0o700 });
    const file = join(root, 'a.txt');
    writeFileSync(file, 'old\n');
    writeFileSync(join(home, 'trash', '1-ab', '0'), 'old\n');
    const stat = lstatSync(file, { bigint: true });
    utimesSync(file, 1, 1);
    using workspace = Workspace.open(root);
    const state = (text: string) => ({
      type: 'file' as const,
      size: text.length,
      mode: 0o644,
      digest: digest(text),
    });
    const change: Change = {
      op: 'put',
      intent: { op: 'update', path: 'a.txt', before: state('old\n'), after: state('new\n'), trashId: '0' },
      expected: identity(stat),
      source: { bytes: Buffer.from('new\n'), mode: 0o644 },
      temp: 'temp',
    };
    const interrupted = { workspace, home, slot: '1-ab' };
    expect(changePositionOf(interrupted, { ...change, born: String(stat.birthtimeNs) })).toBe('torn');
    expect(changePositionOf(interrupted, { ...change, born: String(stat.birthtimeNs - 1n) })).toBe('touched');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

// A move is a link and an unlink: killed in between, one file has two names.
for (const [since, position, isLeft] of [
  [undefined, 'done', false],
  ['mine\n', 'touched', true],
] as const)
  test(`a move cut in half is completed unless somebody wrote to the file: ${since ?? 'nobody did'}`, () => {
    const root = mkdtempSync(join(realpathSync(tmpdir()), 'position-'));
    try {
      const [from, to] = [join(root, 'a.txt'), join(root, 'b.txt')];
      writeFileSync(from, 'text\n', { mode: 0o644 });
      const stat = lstatSync(from, { bigint: true });
      linkSync(from, to);
      if (since !== undefined) writeFileSync(from, since);
      using workspace = Workspace.open(root);
      const after = { type: 'file' as const, size: 5, mode: 0o644, digest: digest('text\n') };
      const change: Change = {
        op: 'move',
        intent: { op: 'move', path: 'b.txt', from: 'a.txt', before: null, after },
        expected: 'absent',
        expectedFrom: identity(stat),
      };
      expect(changePositionOf({ workspace, home: root, slot: '1-ab' }, change)).toBe(position);
      expect([existsSync(from), existsSync(to)]).toEqual([isLeft, true]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

// Something is due where the file was: it must be known whether the move made room for it, whatever was deleted since.
for (const [what, steps, position] of [
  ['has both names', ['link a.txt b.txt'], 'done'],
  ['was moved', ['link a.txt b.txt', 'rename a.txt temp'], 'done'],
  ['was moved, then deleted', ['link a.txt b.txt', 'rename a.txt temp', 'remove b.txt'], 'done'],
  ['lost its old name to somebody', ['link a.txt b.txt', 'remove a.txt'], 'touched'],
  ['was deleted before', ['remove a.txt'], 'touched'],
  ['was moved without links', ['make temp', 'rename a.txt b.txt'], 'done'],
] as const)
  test(`a move that something follows, of a file that ${what}`, () => {
    const root = mkdtempSync(join(realpathSync(tmpdir()), 'position-'));
    try {
      const file = join(root, 'a.txt');
      writeFileSync(file, 'text\n', { mode: 0o644 });
      const expectedFrom = identity(lstatSync(file, { bigint: true }));
      for (const step of steps) carryOut(root, step);
      using workspace = Workspace.open(root);
      const after = { type: 'file' as const, size: 5, mode: 0o644, digest: digest('text\n') };
      const intent = { op: 'move' as const, path: 'b.txt', from: 'a.txt', before: null, after };
      const change: Change = { op: 'move', intent, expected: 'absent', expectedFrom, temp: 'temp' };
      // Looking a second time, as after another crash, tells the same.
      const positions = [1, 2].map(() => changePositionOf({ workspace, home: root, slot: '1-ab' }, change));
      expect([...positions, existsSync(file)]).toEqual([position, position, false]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });

function carryOut(root: string, step: string): void {
  const [verb, ...names] = step.split(' ');
  const [first = '', second = ''] = names.map((name) => join(root, name));
  if (verb === 'link') linkSync(first, second);
  else if (verb === 'rename') renameSync(first, second);
  else if (verb === 'remove') rmSync(first);
  else writeFileSync(first, '');
}

// A new file gets its name by a link from the temp name. Killed before the unlink, and the file removed by somebody: it stays removed.
for (const isNamed of [false, true])
  test(`a new file and a moved one that ${isNamed ? 'somebody has removed' : 'never had their names'}`, () => {
    const root = mkdtempSync(join(realpathSync(tmpdir()), 'position-'));
    try {
      const after = { type: 'file' as const, size: 5, mode: 0o644, digest: digest('text\n') };
      const [temp, from] = [join(root, 'temp'), join(root, 'a.txt')];
      for (const file of [temp, from]) writeFileSync(file, 'text\n', { mode: 0o644 });
      const [made, expectedFrom] = [temp, from].map((file) => identity(lstatSync(file, { bigint: true })));
      if (isNamed)
        for (const file of [temp, from]) {
          linkSync(file, join(root, 'named'));
          rmSync(join(root, 'named'));
        }
      using workspace = Workspace.open(root);
      const interrupted = { workspace, home: root, slot: '1-ab' };
      const expected = isNamed ? 'touched' : 'pending';
      const put: Change = {
        op: 'put',
        intent: { op: 'create', path: 'new.txt', before: null, after },
        expected: 'absent',
        source: { bytes: Buffer.from('text\n'), mode: 0o644 },
        temp: 'temp',
        made: made ?? '',
      };
      const move: Change = {
        op: 'move',
        intent: { op: 'move', path: 'b.txt', from: 'a.txt', before: null, after },
        expected: 'absent',
        expectedFrom: expectedFrom ?? '',
      };
      expect([put, move].map((change) => changePositionOf(interrupted, change))).toEqual([
        expected,
        expected,
      ]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
