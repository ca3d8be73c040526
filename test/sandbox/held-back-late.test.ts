// Holding back where it is late: processes that go on, hosts that were killed, quarantines on another device.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { noSandbox } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { oneDevice, twoDevices } from '../support/two-devices.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

type Data = { output: string; status: string; held_back?: { path: string }[]; notes?: string[] };

describe.skipIf(noSandbox !== undefined)(`a process that goes on (${noSandbox ?? 'bubblewrap'})`, () => {
  const start = (bench: Workbench, script: string): Promise<unknown> => {
    writeFileSync(join(bench.root, 'script.sh'), script);
    return bench.call('run_persistent', {
      command: 'sh script.sh',
      process_id: 'p',
      ready_pattern: 'ready',
    });
  };
  const read = async (bench: Workbench): Promise<Data> => {
    const outcome = await bench.call('read_process', { process_id: 'p' });
    return (outcome as unknown as { data: Data }).data;
  };

  test('what it plants is gone when somebody reads from it, and when it has ended', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a' }, mode: 'trusted' });
    await start(bench, 'git init -q early; echo ready; read x; git init -q late; mkdir .codelab; exit 0');
    const first = await read(bench);
    expect(first.held_back).toMatchObject([{ path: 'early/.git' }]);
    expect(first.notes?.[0]).toContain('restore_held_back with call_id "call_1"');
    expect(existsSync(join(bench.root, 'early/.git'))).toBe(false);
    bench.human(() => ({ kind: 'approve' }));
    await bench.call('write_process', { process_id: 'p', input: 'go\n' });
    await bench.host.processes().find('p', 's1').process.ended;
    expect(existsSync(join(bench.root, 'late/.git'))).toBe(false);
    expect((await read(bench)).held_back?.map(({ path }) => path).sort()).toEqual([
      '.codelab',
      'early/.git',
      'late/.git',
    ]);
    const restored = await bench.call('restore_held_back', { call_id: 'call_1', paths: ['late/.git'] });
    expect(restored).toMatchObject({ data: { restored: ['late/.git'] } });
    expect(existsSync(join(bench.root, 'late/.git/HEAD'))).toBe(true);
  });

  test('the repositories that were there, and the user’s work in them, are left alone', async () => {
    await using bench = await workbench({ files: { 'a.txt': 'a' }, mode: 'trusted' });
    const git = async (cwd: string, ...args: string[]): Promise<void> => {
      const userSettings = ['-c', 'user.name=t', '-c', 'user.email=t@example.org'];
      const child = spawn('git', [...userSettings, ...args], { cwd, stdio: 'ignore' });
      expect(await once(child, 'exit')).toEqual([0, null]);
    };
    mkdirSync(join(bench.root, 'lib'));
    for (const folder of ['.', 'lib']) await git(join(bench.root, folder), 'init', '-q');
    await start(bench, 'echo ready; exec cat');
    for (const folder of ['.', 'lib']) {
      writeFileSync(join(bench.root, folder, 'new.txt'), 'x');
      await git(join(bench.root, folder), 'add', 'new.txt');
      await git(join(bench.root, folder), 'commit', '-qm', 'one');
      await git(join(bench.root, folder), 'remote', 'add', 'origin', 'x');
    }
    await bench.call('kill_process', { process_id: 'p' });
    expect((await read(bench)).held_back).toBeUndefined();
    expect(readFileSync(join(bench.root, 'lib/.git/config'), 'utf8')).toContain('origin');
  });
});

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
