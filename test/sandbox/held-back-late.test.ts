// Holding back where it is late: hosts that were killed, quarantines on another device.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noSandbox } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { oneDevice, twoDevices } from '../support/two-devices.ts';
import { workbench } from '../support/workbench.ts';

describe.skipIf(noSandbox !== undefined)(`a host that was killed (${noSandbox ?? 'bubblewrap'})`, () => {
  test('what its command left is named at the next start', async () => {
    using scratch = scratchFolder({ files: { 'a.txt': 'a' } });
    writeFileSync(
      join(scratch.root, 'script.sh'),
      'echo x > .envrc; git init -q sub; mkdir .husky; echo x > .husky/pre-push; echo up; exec tail -f /dev/null',
    );
    const host = spawn(
      process.execPath,
      [join(import.meta.dirname, '../support/planting-host.ts'), scratch.folder],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    await once(host.stdout, 'data');
    host.kill('SIGKILL');
    await once(host, 'exit');
    await using bench = await workbench({ folder: scratch.folder, mode: 'trusted' });
    const events = await bench.log.read('host');
    expect(events.at(-1)?.body).toMatchObject({
      type: 'call.finished',
      outcome: {
        error: {
          code: 'OUTCOME_UNKNOWN',
          message: expect.stringContaining('.envrc, .husky, sub/.git. Check them before'),
          details: { appeared: ['.envrc', '.husky', 'sub/.git'] },
        },
      },
    });
  });
});

describe.skipIf(noSandbox !== undefined || oneDevice !== undefined)(
  `a quarantine on another device (${noSandbox ?? oneDevice ?? 'bubblewrap'})`,
  () => {
    test('what is held back is copied there, and nothing is left beside its place', async () => {
      using devices = twoDevices();
      mkdirSync(join(devices.memory, 'home'));
      symlinkSync(join(devices.memory, 'home'), join(devices.disk, 'home'));
      await using bench = await workbench({ folder: devices.disk, mode: 'trusted' });
      writeFileSync(join(bench.root, 'script.sh'), 'git init -q x; echo y > .envrc');
      const outcome = await bench.call('run_command', { command: 'sh script.sh' });
      expect(outcome).toMatchObject({ data: { held_back: [{ path: '.envrc' }, { path: 'x/.git' }] } });
      expect(readdirSync(bench.root).sort()).toEqual(['script.sh', 'x']);
      expect(readdirSync(join(bench.root, 'x'))).toEqual([]);
      bench.human(() => ({ kind: 'approve' }));
      await bench.call('restore_held_back', { call_id: 'call_1' });
      expect(readFileSync(join(bench.root, '.envrc'), 'utf8')).toBe('y\n');
      expect(existsSync(join(bench.root, 'x/.git/HEAD'))).toBe(true);
    });
  },
);
