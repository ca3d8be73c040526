// Attacks on an approved call: something changes after the human has looked and before they approve.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { codeOf } from './code-of.ts';
import { processBench } from './process-bench.ts';

export type Change = (root: string) => void;
export type Attack = [
  name: string,
  files: Record<string, string>,
  command: string,
  change: Change,
  prepare?: Change,
];

export const write =
  (path: string, text: string): Change =>
  (root) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), text, { mode: 0o755 });
  };
export const all =
  (...changes: Change[]): Change =>
  (root) => {
    for (const change of changes) change(root);
  };
export const git: Change = (root) => void execFileSync('git', ['init', '-q', root]);

/** The changed body has to be asked about again, and does not run. */
export async function expectAskedAgain(
  files: Attack[1],
  command: string,
  change: Change,
  prepare?: Change,
): Promise<void> {
  let askCount = 0;
  let root = '';
  await using bench = await processBench({
    files,
    human: () => {
      if (++askCount > 1) return { kind: 'reject' };
      change(root);
      return { kind: 'approve' };
    },
  });
  root = bench.root;
  prepare?.(root);
  expect(codeOf(await bench.run(command))).toBe('REJECTED');
  expect(askCount).toBe(2);
}
