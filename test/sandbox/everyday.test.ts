import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { confinementOf } from '../../packages/runtime/src/sandbox/confine.ts';
import { backends, noSandbox, plantFile, type SandboxBench, sandboxBench } from '../support/sandbox-bench.ts';

let bench: SandboxBench;

describe.each(backends)('everyday commands in the sandbox (%s)', (backend) => {
  beforeEach(() => {
    bench = sandboxBench(backend);
  });
  afterEach(() => bench[Symbol.dispose]());

  test.each([
    ['node', 'node -e "console.log(6*7)"', '42\n'],
    ['npm', 'npm --version >/dev/null && echo ok', 'ok\n'],
    ['python3', '/usr/bin/python3 -c "print(6*7)"', '42\n'],
    ['cc', 'printf "int main(){return 0;}" > m.c && cc m.c -o m && ./m && echo ok', 'ok\n'],
    ['a here-document', 'cat <<X\nhi\nX', 'hi\n'],
    ['a pipe', 'seq 3 | sort -r | head -1', '3\n'],
    ['mktemp', 'f=$(mktemp) && echo ok > "$f" && cat "$f"', 'ok\n'],
  ])('%s', async (program, line, expected) => {
    if (program === 'python3' && !existsSync('/usr/bin/python3')) return;
    if (program === 'cc' && !existsSync('/usr/bin/cc')) return;
    const { stdout, stderr } = bench.sh(line);
    expect({ stdout, stderr }).toEqual({ stdout: expected, stderr: '' });
    const unasked = await bench.unasked(line);
    expect([unasked.stdout, unasked.stderr]).toEqual([expected, '']);
  });
});

describe.each(backends)('where the workspace may be (%s)', (backend) => {
  beforeEach(() => {
    bench = sandboxBench(backend);
  });
  afterEach(() => bench[Symbol.dispose]());

  const work = 'pwd -P; echo x > made; cat made; ls ~/.ssh; cat ~/.ssh/id_test';
  test.each([
    ['a folder with spaces and quotes', () => join(bench.folder, 'a b\'c"d')],
    ['below a hidden folder', () => join(bench.user, '.ssh/project')],
    ['below CodeLab’s state', () => join(bench.home, 'project')],
    ['below /var/tmp', () => join('/var/tmp', `codelab-sandbox-${process.pid}`)],
    ['below /dev/shm', () => join('/dev/shm', `codelab-sandbox-${process.pid}`)],
  ])('%s', async (_what, place) => {
    const root = place();
    mkdirSync(root, { recursive: true });
    plantFile(join(bench.user, '.ssh/id_test'), 'top-secret');
    try {
      const line = 'pwd -P; echo x > made; cat made; cat ~/.ssh/id_test';
      expect(bench.sh(line, { root }).stdout).toBe(`${root}\nx\n`);
      expect((await bench.unasked(line, { root })).stdout).toBe(`${root}\nx\n`);
      expect(existsSync(join(root, 'made'))).toBe(true);
    } finally {
      spawnSync('rm', ['-rf', root]);
    }
  });

  test('the user’s home itself: writable, its secrets hidden all the same', () => {
    plantFile(join(bench.user, '.ssh/id_test'), 'top-secret');
    expect(bench.sh(work, { root: bench.user }).stdout).toBe(`${bench.user}\nx\n`);
    expect(existsSync(join(bench.user, 'made'))).toBe(true);
  });

  test('a folder named by a link', () => {
    const link = join(bench.folder, 'link');
    symlinkSync(bench.root, link);
    expect(bench.sh('echo x > made; cat made', { root: link }).stdout).toBe('x\n');
  });
});

test('the sandbox is insisted upon, or left out, as the configuration says', () => {
  expect(confinementOf(false, 'off')).toEqual({
    sandbox: 'none',
    network: true,
    why: 'The sandbox is switched off in the configuration.',
  });
  if (noSandbox !== undefined) expect(() => confinementOf(false, 'required')).toThrow('requires a sandbox');
  else expect(confinementOf(false, 'required')).toEqual({ sandbox: backends[0], network: false });
});
