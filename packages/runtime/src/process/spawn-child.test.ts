import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPipes, type Pipes } from './pipes.ts';
import { spawnChild } from './spawn-child.ts';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'codelab-pipes-'));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

const noPipes: Pipes = { open: () => Promise.reject(new Error('no mkfifo here')) };

describe.each(['named pipes', 'the pipes of Node'])('through %s', (kind) => {
  const pipes = (): Pipes => (kind === 'named pipes' ? createPipes(folder) : noPipes);

  test('both streams arrive whole, also when the reader has to wait now and then', async () => {
    const bytesSeen = { stdout: 0, stderr: 0 };
    let chunks = 0;
    const child = await spawnChild({
      argv: ['/bin/sh', '-c', 'head -c 3000000 /dev/zero; head -c 2000000 /dev/zero >&2'],
      cwd: '/',
      env: { PATH: '/usr/bin:/bin' },
      marker: 'test',
      pipes: pipes(),
      takesInput: false,
      onBytes(stream, bytes) {
        bytesSeen[stream] += bytes.length;
        if (++chunks % 5 !== 0) return true;
        setImmediate(() => child.resume());
        return false;
      },
    });
    expect(await child.exited).toEqual({ code: 0, signal: null });
    await child.silent;
    child.close();
    expect(bytesSeen).toEqual({ stdout: 3_000_000, stderr: 2_000_000 });
  });

  test('a program that is not there is told so', async () => {
    const child = spawnChild({
      argv: ['/no/such/program'],
      cwd: '/',
      env: {},
      marker: 'test',
      pipes: pipes(),
      takesInput: false,
      onBytes: () => true,
    });
    await expect(child).rejects.toMatchObject({ code: 'COMMAND_NOT_FOUND' });
  });
});
