// What a command leaves where a look may pass by: behind marks of caches, in repositories, piece by piece, under odd names.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type HeldBench, heldBench, pathsOf } from './support/held-bench.ts';
import { noSandbox } from './support/sandbox-bench.ts';

let bench: HeldBench;
beforeEach(async () => {
  bench = await heldBench();
});
afterEach(() => bench[Symbol.asyncDispose]());

describe.skipIf(noSandbox !== undefined)(
  `hidden from the look after a run (${noSandbox ?? 'sandbox'})`,
  () => {
    test.each(['CACHEDIR.TAG', '.git'])(
      'a protected folder is held back whole, although it has a %s',
      async (name) => {
        const { held } = await bench.unasked(
          `mkdir .vscode && echo x > .vscode/tasks.json && echo x > .vscode/${name}`,
        );
        expect(pathsOf(held)).toEqual(['.vscode']);
      },
    );

    test('protected names beside a new .git are held back with it', async () => {
      const { held } = await bench.unasked('mkdir -p x/.git && echo x > x/.envrc && echo x > x/a.txt');
      expect(pathsOf(held)).toEqual(['x/.envrc', 'x/.git']);
    });

    test('new protected names in a repository within the workspace are held back, also when it is ignored by now', async () => {
      bench.git('init', '-q');
      bench.git('init', '-q', 'sub');
      writeFileSync(join(bench.root, 'sub/Makefile'), 'all:\n');
      const { held } = await bench.unasked(
        'echo sub > .gitignore; mkdir -p sub/in/.vscode; echo x > sub/in/.vscode/tasks.json; echo x > sub/.envrc; echo x > sub/a.txt',
      );
      expect(pathsOf(held)).toEqual(['sub/.envrc', 'sub/in/.vscode']);
      expect(readFileSync(join(bench.root, 'sub/Makefile'), 'utf8')).toBe('all:\n');
      expect(existsSync(join(bench.root, 'sub/a.txt'))).toBe(true);
    });

    test('a repository whose objects and settings are in another folder is held back', async () => {
      const { held } = await bench.unasked(
        `mkdir -p x y/objects y/refs && echo 'ref: refs/heads/main' > x/HEAD && echo ../y > x/commondir &&
       git config -f y/config core.fsmonitor "touch $PWD/ran"`,
      );
      expect(pathsOf(held)).toEqual(['x']);
    });

    test('a repository that was made piece by piece in an ignored folder is found, whatever its times say', async () => {
      bench.git('init', '-q');
      writeFileSync(join(bench.root, '.gitignore'), 'ignored\n');
      await bench.unasked(
        `mkdir -p ignored/a && cd ignored && git init -q a && mv a/.git a/later && mv a/later/HEAD a/later/H &&
       git init -q --bare b && mv b/objects b/later`,
      );
      const { held } = await bench.unasked(
        `cd ignored && mv a/later/H a/later/HEAD && mv a/later a/.git && mv b/later b/objects &&
       touch -d 2001-01-01 a b`,
      );
      expect(pathsOf(held)).toEqual(['ignored/a/.git', 'ignored/b/HEAD', 'ignored/b/config']);
    });

    test('a folder whose name is not UTF-8 is named as not looked into', async () => {
      const { notes } = await bench.unasked('git init -q "$(printf \'x\\377\')"');
      expect(notes.join('\n')).toMatch(/Not looked into for new repositories: x\ufffd/);
    });

    test('a monitor and hooks are found in settings however they are written', async () => {
      bench.git('init', '-q');
      const config = join(bench.root, '.git/config');
      writeFileSync(config, '[core] hooksPath = tools\n[core]\nfsmonitor = monitor.sh\n');
      const { held } = await bench.unasked('mkdir tools; echo x > tools/pre-commit; echo x > monitor.sh');
      expect(pathsOf(held)).toEqual(['monitor.sh', 'tools']);
    });
  },
);
