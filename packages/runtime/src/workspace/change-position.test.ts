import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { digest } from '../platform/digest.ts';
import type { Change } from './change.ts';
import { positionOf } from './change-position.ts';
import { identity } from './directory.ts';
import { Workspace } from './workspace.ts';

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
    expect(positionOf(interrupted, { ...change, born: String(stat.birthtimeNs) })).toBe('torn');
    expect(positionOf(interrupted, { ...change, born: String(stat.birthtimeNs - 1n) })).toBe('touched');
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
      expect(positionOf({ workspace, home: root, slot: '1-ab' }, change)).toBe(position);
      expect([existsSync(from), existsSync(to)]).toEqual([isLeft, true]);
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  });
