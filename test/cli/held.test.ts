// `codelab held` as a whole process: what it lists, shows and brings back.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noSandbox } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { workbench } from '../support/workbench.ts';

const launcher = join(import.meta.dirname, '../..', 'apps', 'cli', 'bin', 'codelab.js');

describe.skipIf(noSandbox !== undefined)(
  `codelab held (${noSandbox ?? 'bubblewrap'})`,
  { timeout: 60_000 },
  () => {
    test('lists, shows and restores what was held back', async () => {
      using scratch = scratchFolder({ files: { 'a.txt': 'a' } });
      const home = join(scratch.folder, 'home');
      const codelab = (...args: string[]): { status: number | null; stdout: string; stderr: string } => {
        const env = { ...process.env, CODELAB_HOME: home };
        const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, 'held', ...args], {
          cwd: scratch.root,
          env,
          encoding: 'utf8',
        });
        return { status, stdout, stderr };
      };
      expect(codelab()).toEqual({ status: 0, stdout: 'Nothing is held back here.\n', stderr: '' });
      {
        await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
        writeFileSync(join(scratch.root, 'script.sh'), 'echo planted > .envrc; git init -q x');
        await bench.call('run_command', { command: 'sh script.sh' });
      }
      expect(codelab('list').stdout).toMatch(
        /^call_1 .*\n {2}\.envrc \(new\): .*\n {2}x\/\.git \(new\): .*\n/,
      );
      const output = codelab('restore', 'call_1', '--dry-run');
      expect(output.stdout).toContain('+ planted');
      expect(existsSync(join(scratch.root, '.envrc'))).toBe(false);
      expect(codelab('restore', 'call_1', '.envrc')).toEqual({
        status: 0,
        stdout: 'restored .envrc\n',
        stderr: '',
      });
      expect(readFileSync(join(scratch.root, '.envrc'), 'utf8')).toBe('planted\n');
      expect(JSON.parse(codelab('restore', 'call_1', '--json').stdout)).toEqual({
        call_id: 'call_1',
        restored: ['x/.git'],
      });
      const nothing = codelab('restore', 'call_1');
      expect([nothing.status, nothing.stderr]).toEqual([
        1,
        expect.stringContaining('has no files that were held back'),
      ]);
    });
  },
);
