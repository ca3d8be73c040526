import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { expect, test } from 'vitest';
import { type Workbench, workbench } from '../support/workbench.ts';

const tries = 2000;

/** A workspace whose folder `d` is swapped, all the time, for a link to a folder outside that holds the same names. */
async function underAttack(bench: Workbench): Promise<ChildProcess> {
  const outside = join(bench.folder, 'outside');
  mkdirSync(outside);
  for (const name of ['secret.txt', 'victim.txt']) writeFileSync(join(outside, name), 'OUTSIDE');
  const script = join(import.meta.dirname, '../support', 'swap-directory.ts');
  const attacker = spawn(process.execPath, [script, join(bench.root, 'd'), outside], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(attacker.stdout ?? attacker, 'data');
  return attacker;
}

/** Repeats a call until it was tried often enough and both answers have been seen. */
async function repeat(attempt: (n: number) => Promise<Outcome>): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const isSeen = (): boolean => counts.has('completed') && counts.size > 1;
  // On a busy machine the two may run out of step for a while.
  for (let n = 0; n < tries || (!isSeen() && n < 5 * tries); n++) {
    const outcome = await attempt(n);
    const key = outcome.status === 'completed' ? 'completed' : outcome.error.code;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

test('L-07: reads while a directory is swapped for a link to outside return nothing from outside', async () => {
  await using bench = await workbench({ files: { 'd/secret.txt': 'INSIDE' } });
  const attacker = await underAttack(bench);
  try {
    const results = await repeat(async () => {
      const outcome = await bench.call('read_file', { path: 'd/secret.txt' });
      if (outcome.status === 'completed') expect(outcome.data.content).toBe('INSIDE');
      return outcome;
    });
    expect([...results.keys()]).toContain('completed');
    expect(results.size).toBeGreaterThan(1);
    expect(results.get('INTERNAL')).toBeUndefined();
    const counts = await repeat((n) =>
      n % 10 === 0
        ? bench.call('list_files', { path: 'd' })
        : bench.call('read_file', { path: 'd/victim.txt' }),
    );
    // `victim.txt` exists outside only.
    expect(counts.get('completed') ?? 0).toBeLessThanOrEqual(tries / 10);
  } finally {
    attacker.kill('SIGKILL');
  }
});

test('L-08: writes, moves and deletes in the same race leave everything outside as it was', async () => {
  await using bench = await workbench({ files: { 'd/victim.txt': 'INSIDE' }, mode: 'trusted' });
  bench.human(() => ({ kind: 'approve' }));
  const attacker = await underAttack(bench);
  try {
    const counts = await repeat((n) => {
      if (n % 50 === 1) return bench.call('delete_file', { path: 'd/victim.txt' });
      if (n % 50 === 2) return bench.call('move_file', { from: 'd/secret.txt', to: 'd/moved.txt' });
      if (n % 50 === 3) return bench.call('create_directory', { path: `d/new${n}/below` });
      return bench.call('write_file', { path: 'd/victim.txt', content: `written ${n}` });
    });
    expect([...counts.keys()]).toContain('completed');
    expect(counts.size).toBeGreaterThan(1);
    expect(counts.get('INTERNAL')).toBeUndefined();
  } finally {
    attacker.kill('SIGKILL');
  }
  const outside = join(bench.folder, 'outside');
  expect(readdirSync(outside).sort()).toEqual(['secret.txt', 'victim.txt']);
  for (const name of readdirSync(outside)) expect(readFileSync(join(outside, name), 'utf8')).toBe('OUTSIDE');
  expect(bench.log.verify()).toBeUndefined();
});
