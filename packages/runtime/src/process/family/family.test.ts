import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { markerName } from '../child-environment.ts';
import { type Birth, birthNow, endFamily, findFamily } from './family.ts';

const { CODELAB_WITHOUT, SystemRoot } = process.env;
const folder = mkdtempSync(join(tmpdir(), 'codelab-family-'));

afterEach(() => {
  for (const [name, value] of Object.entries({ CODELAB_WITHOUT, SystemRoot }))
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  rmSync(folder, { recursive: true, force: true });
});

test('where there are no process groups, the system’s own program ends a process with its children', async () => {
  mkdirSync(join(folder, 'System32'));
  const program = '#!/bin/sh\necho "$@" > "$0.told"\nkill -9 "$2"\n';
  writeFileSync(join(folder, 'System32', 'taskkill.exe'), program, { mode: 0o755 });
  Object.assign(process.env, { CODELAB_WITHOUT: 'proc,groups', SystemRoot: folder });
  const child = spawn('sleep', ['60'], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  const pid = child.pid ?? 0;
  const family = { pid, marker: 'x', born: birthNow() };
  expect(findFamily(family).map((member) => member.pid)).toEqual([pid]);
  await endFamily(family, { graceMs: 1000 });
  expect(await exited).toEqual([null, 'SIGKILL']);
  expect(findFamily(family)).toEqual([]);
  expect(readFileSync(join(folder, 'System32', 'taskkill.exe.told'), 'utf8')).toBe(`/pid ${pid} /t /f\n`);
});

test.runIf(process.platform === 'linux').each([
  ['shortly after it was started', (birth: Birth) => birth],
  ['when pids may have gone round since', () => ({ at: Number.NEGATIVE_INFINITY, after: undefined })],
])('a process that left the session and lost its parent is found by its mark, %s', async (_name, when) => {
  const marker = `${process.pid}-${performance.now()}`;
  const birth = birthNow();
  const env = { ...process.env, [markerName]: marker };
  const child = spawn('/bin/sh', ['-c', 'setsid sleep 60 & echo $!'], { detached: true, env });
  const [[survivorPid]] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
  const family = { pid: child.pid ?? 0, marker, born: when(birth) };
  await expect.poll(() => findFamily(family).map(({ name }) => name)).toEqual(['sleep']);
  expect(findFamily(family).map(({ pid }) => pid)).toEqual([Number(survivorPid)]);
  await endFamily(family, { graceMs: 1000 });
  expect(findFamily(family)).toEqual([]);
});
