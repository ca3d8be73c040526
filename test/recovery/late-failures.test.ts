// A set of changes that fails late, while what it removed is copied to a quarantine on another device: other work ran meanwhile.
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { contents } from '../support/small-patch.ts';
import { oneDevice, twoDevices } from '../support/two-devices.ts';
import { approveAll, workbench } from '../support/workbench.ts';

const megabytes = 64;

const cases: [string, string, string, string][] = [
  ['what it had restored', 'a.txt', 'a\n', 'by the agent\n'],
  ['the place of what it had removed', 'new.txt', '', 'new\n'],
];

test.skipIf(oneDevice).each(cases)(
  'what a person writes to %s meanwhile stays when it is cancelled',
  async (_, path, restored, byAgent) => {
    using devices = twoDevices();
    symlinkSync(devices.memory, join(devices.disk, 'home'));
    await using bench = await workbench({ folder: devices.disk, files: { 'a.txt': 'a\n' }, mode: 'trusted' });
    bench.human(approveAll);
    const large = `head -c ${megabytes * 1024 * 1024} /dev/zero > large.bin`;
    await bench.call('run_command', {
      command: `echo by the agent > a.txt; echo new > new.txt; ${large}`,
      sandbox: 'off',
    });
    const file = join(bench.root, path);
    const stop = new AbortController();
    const undoing = bench.call('undo', {}, { signal: stop.signal });
    while (textOf(file) !== restored) await otherWork();
    writeFileSync(file, 'mine\n');
    stop.abort();
    const outcome = await undoing;
    expect(readFileSync(file, 'utf8')).toBe('mine\n');
    expect(JSON.stringify(outcome)).toContain(
      `could not be put back as they were: ${path} (something else is there now`,
    );
    const { 'large.bin': largeText, ...others } = contents(bench.root);
    expect(largeText?.length).toBe(megabytes * 1024 * 1024);
    expect(others).toMatchObject({ 'a.txt': 'by the agent\n', 'new.txt': 'new\n', [path]: 'mine\n' });
    // In the quarantine, or under the hidden name that the answer tells.
    expect([...Object.values(contents(devices.memory)), ...Object.values(others)]).toContain(byAgent);
    for (const tool of ['redo', 'undo']) {
      await bench.call(tool, {});
      expect(readFileSync(file, 'utf8')).toBe('mine\n');
    }
  },
);

/** Empty where there is none. */
function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
