// The folder of the key that signs the audit record: no tool, command or sandbox reaches it.
import { linkSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { keyFolder } from '@codelab/runtime';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { codeOf } from '../support/code-of.ts';
import { doorsTo } from '../support/doors.ts';
import { noSandbox } from '../support/sandbox-bench.ts';
import { approveAll, type Workbench, workbench } from '../support/workbench.ts';

const secret = 'THE-SECRET-KEY';
let folder: string;

function expectRefused(outcome: Outcome, label = ''): void {
  const error = outcome.status === 'completed' ? undefined : outcome.error;
  expect([error?.code, error?.details?.rule], label).toEqual(['PERMISSION_DENIED', 'state-folder']);
}

const file = (): string => join(keyFolder(), 'audit-ed25519.json');
let before: string | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-keys-'));
  before = process.env.CODELAB_KEYS;
  process.env.CODELAB_KEYS = join(folder, 'work/own/keys');
});
afterEach(() => {
  process.env.CODELAB_KEYS = before;
  rmSync(folder, { recursive: true, force: true });
});

async function withKey(): Promise<Workbench> {
  const bench = await workbench({
    folder,
    files: { 'spare.txt': 's\n', 'own/b.txt': 'b\n' },
    mode: 'trusted',
  });
  bench.human(approveAll);
  writeFileSync(file(), secret, { mode: 0o600 });
  return bench;
}

test('is as far away as the state folder, by every tool and path', async () => {
  await using bench = await withKey();
  symlinkSync('own/keys', join(bench.root, 'link'));
  linkSync(file(), join(bench.root, 'twin.json'));
  for (const path of ['own/keys/audit-ed25519.json', 'link/audit-ed25519.json', 'twin.json'])
    for (const { door, tool, args } of doorsTo(path, 'spare.txt'))
      expectRefused(await bench.call(tool, args), `${door} ${path}`);
  expectRefused(await bench.call('delete_file', { path: 'own', recursive: true }));
  for (const pattern of ['**', '**/*.json']) {
    const found = await bench.call('find_files', { pattern });
    expect(JSON.stringify(found)).not.toContain('audit-ed25519');
  }
});

test.each(['cat own/keys/audit-ed25519.json', 'cat $CODELAB_KEYS/*', 'cp -r own copy', 'rm -rf own/keys'])(
  'the command %j is refused, whoever approves',
  async (command) => {
    await using bench = await withKey();
    expectRefused(await bench.call('run_command', { command }));
  },
);

test.skipIf(noSandbox)('a command that finds its own way there sees nothing in the sandbox', async () => {
  await using bench = await withKey();
  writeFileSync(
    join(bench.root, 'look.sh'),
    `o=$(printf o%s wn); cat "$o"/k??s/*; cat $(echo ${folder}/work/$o/k)eys/*; ls "$o/keys"\n`,
  );
  const outcome = await bench.call('run_command', { command: 'sh look.sh' });
  expect(codeOf(outcome)).toBe('completed');
  expect(JSON.stringify(outcome)).not.toContain(secret);
});

test.skipIf(noSandbox)(
  'in the home folder, which approved commands see, it is hidden in the sandbox',
  async () => {
    const place = mkdtempSync(join(homedir(), '.codelab-test-'));
    try {
      process.env.CODELAB_KEYS = join(place, 'keys');
      await using bench = await withKey();
      writeFileSync(join(place, 'seen.txt'), 'seen\n');
      writeFileSync(
        join(bench.root, 'look.sh'),
        `cat ${place}/se??.txt; cat ${place}/ke??/*; ls ${place}/k*\n`,
      );
      bench.human(() => ({ kind: 'approve' }));
      const outcome = await bench.call('run_command', { command: 'sh look.sh' }, { requiresApproval: true });
      expect(JSON.stringify(outcome)).toContain('seen');
      expect(JSON.stringify(outcome)).not.toMatch(/SECRET-KEY|audit-ed25519/);
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  },
);
