import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pruneWhenDue } from './prune-quarantine.ts';

const day = 24 * 60 * 60 * 1000;

test('what is too old goes, then the oldest until the rest fits; and not again within the hour', () => {
  const home = mkdtempSync(join(tmpdir(), 'codelab-prune-'));
  const now = Date.now();
  const slot = (age: number, size: number): string => {
    const name = `${now - age * day}-abc`;
    mkdirSync(join(home, 'trash', name), { recursive: true });
    writeFileSync(join(home, 'trash', name, '0'), Buffer.alloc(size));
    return name;
  };
  const [old, large, middle, fresh] = [slot(20, 1), slot(5, 700), slot(3, 400), slot(1, 400)];
  pruneWhenDue(home, { days: 14, bytes: 1000 }, now);
  expect(readdirSync(join(home, 'trash')).sort()).toEqual([middle, fresh].sort());
  expect([old, large].some((name) => existsSync(join(home, 'trash', name)))).toBe(false);
  slot(30, 1);
  pruneWhenDue(home, { days: 14, bytes: 1000 }, now + 1000);
  expect(readdirSync(join(home, 'trash'))).toHaveLength(3);
  pruneWhenDue(home, { days: 14, bytes: 1000 }, now + 2 * 60 * 60 * 1000);
  expect(readdirSync(join(home, 'trash'))).toHaveLength(2);
  rmSync(home, { recursive: true });
});
