// Files of a command in places that a search may miss: behind cache tags, in repositories, piece by piece, under odd names.
import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { asNobody, callsInChild, isRoot } from '../support/calls-in-child.ts';
import { type Held, type HeldBench, heldBench, pathsOf } from '../support/held-bench.ts';
import { noSandbox } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';

/** As text that is not exact about bytes. */
function filesBelow(folder: Buffer): string[] {
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
    .flatMap((entry) => {
      const path = Buffer.concat([folder, Buffer.from('/'), entry.name]);
      return entry.isDirectory() ? filesBelow(path) : [path.toString()];
    })
    .sort();
}

const script = (last: string): string =>
  `mkdir -p new/.vscode; echo x > new/.vscode/tasks.json; echo x > .envrc; echo x > old/.envrc; echo x > hooks/a
echo changed > a.txt; ${last}`;

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
      // A file created in the same clock tick as the command's start counts as the command's.
      await wait(50);
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

    test('whatever lies in a folder whose name is not UTF-8 is held back like everywhere', async () => {
      const { held, notes } = await bench.unasked(
        `d="$(printf 'x\\377')"; git init -q "$d"; git init -q --bare "$d/bare"; mkdir -p "$d/in/.vscode"
         echo x > "$d/in/.vscode/tasks.json"; echo x > "$d/$d.envrc"; echo x > "$d/.envrc"; echo x > "$d/a.txt"
         echo x > "$(printf '\\377.env')"; mkdir .vscode; echo x > ".vscode/$d"`,
      );
      expect(pathsOf(held)).toEqual(
        ['.vscode', 'x\ufffd/.envrc', 'x\ufffd/.git', 'x\ufffd/bare/HEAD', 'x\ufffd/bare/config']
          .concat('x\ufffd/in/.vscode', '\ufffd.env')
          .sort(),
      );
      expect(notes.join('\n')).not.toContain('Not looked into');
      const expectedFiles = ['a.txt', 'script.sh', 'src/b.txt', 'x\ufffd/a.txt', 'x\ufffd/x\ufffd.envrc'];
      const files = filesBelow(Buffer.from(bench.root)).filter((path) => !path.includes('/bare/'));
      expect(files).toEqual(expectedFiles.map((path) => join(bench.root, path)));
      bench.human(() => ({ kind: 'approve' }));
      const restored = await bench.call('restore_held_back', { call_id: 'call_1' });
      expect(restored).toMatchObject({ data: { restored: pathsOf(held) } });
    });

    test.each(['rm -r d', 'mv d e', 'rm -r d; ln -s src d', 'rm -r d; echo x > d'])(
      'where a folder with such a name in it goes (%s), the rest is checked and can be undone',
      async (command) => {
        await bench.unasked(`mkdir d; touch "$(printf 'd/x\\377')"`);
        const { held, notes } = await bench.unasked(
          `${command}; echo changed > a.txt; mkdir .vscode; echo x > .vscode/tasks.json; git init -q src`,
        );
        expect(pathsOf(held)).toEqual(['.vscode', 'src/.git']);
        expect(notes.join('\n')).not.toMatch(/could not be|Not looked into/);
        expect(await bench.call('undo', {})).toMatchObject({ status: 'completed' });
        expect(readFileSync(join(bench.root, 'a.txt'), 'utf8')).toBe('a\n');
      },
    );

    test
      .runIf(isRoot)
      .each([
        'chmod 000 .',
        'chmod 444 .',
        'chmod 555 .',
        'chmod 000 new',
        'chmod 444 new',
        'chmod 555 new new/.vscode',
        'chmod 000 new/.vscode; chmod 111 new',
        'chmod 111 old',
        'chmod 000 old',
        'chmod 000 hooks/pre-commit hooks/a',
      ])('what was closed for its owner after it (%s) is held back', (command) => {
      const hook = '[core]\n\thooksPath = hooks\n';
      using scratch = scratchFolder({ files: { 'a.txt': 'a\n', 'old/b.txt': 'b\n' }, owner: 65534 });
      const files = { 'hooks/pre-commit': 'true\n', 'script.sh': script(command), '.git/config': hook };
      const inside = ['hooks', '.git', '.git/objects', '.git/refs'].map((path) => join(scratch.root, path));
      for (const path of inside) mkdirSync(path);
      writeFileSync(join(scratch.root, '.git/HEAD'), 'ref: refs/heads/main\n');
      for (const [path, text] of Object.entries(files)) writeFileSync(join(scratch.root, path), text);
      for (const path of [...inside, ...Object.keys(files).map((path) => join(scratch.root, path))])
        chownSync(path, 65534, 65534);
      const { outcomes } = callsInChild({
        folder: scratch.folder,
        calls: [
          { tool: 'run_command', args: { command: 'sh script.sh' } },
          { tool: 'undo', args: {} },
        ],
        wrapper: asNobody,
        env: { HOME: scratch.folder },
      });
      expect(outcomes[0]).toMatchObject({ status: 'completed', data: { exit_code: 0 } });
      const { held_back = [] } = (outcomes[0] as unknown as { data: { held_back?: Held[] } }).data;
      expect(pathsOf(held_back)).toEqual(expect.arrayContaining(['.envrc', 'hooks/a', 'old/.envrc']));
      expect(pathsOf(held_back).filter((path) => path.startsWith('new'))).toEqual(['new/.vscode']);
      for (const path of ['.envrc', 'old/.envrc', 'new/.vscode', 'hooks/a'])
        expect(existsSync(join(scratch.root, path))).toBe(false);
      expect(readFileSync(join(scratch.root, 'a.txt'), 'utf8')).toBe('a\n');
    });

    test('where such a folder holds a protected file already, somebody is asked', async () => {
      const folder = Buffer.concat([Buffer.from(`${bench.root}/x`), Buffer.from([0xff])]);
      mkdirSync(folder);
      writeFileSync(Buffer.concat([folder, Buffer.from('/Makefile')]), 'all:\n');
      const questions: string[] = [];
      bench.human((approval) => {
        questions.push(JSON.stringify(approval));
        return { kind: 'reject' };
      });
      writeFileSync(join(bench.root, 'script.sh'), 'true');
      await bench.call('run_command', { command: 'sh script.sh' });
      expect(questions).toEqual([expect.stringContaining('its name is not UTF-8')]);
    });

    test('a mark of a cache hides no protected name, also when it was left by an earlier run', async () => {
      await bench.unasked('mkdir early && touch early/CACHEDIR.TAG');
      const { held } = await bench.unasked(
        `mkdir -p late/in && touch late/CACHEDIR.TAG && echo x > late/in/.envrc && echo x > late/a &&
         echo x > early/.envrc && mkdir early/.vscode && echo x > early/a`,
      );
      expect(pathsOf(held)).toEqual(['early/.envrc', 'early/.vscode', 'late/in/.envrc']);
      expect(existsSync(join(bench.root, 'late/a'))).toBe(true);
    });

    test('ignore files that the command itself makes hide no protected name', async () => {
      bench.git('init', '-q');
      writeFileSync(join(bench.root, '.gitignore'), 'out\n');
      const { held } = await bench.unasked(
        `mkdir x y && echo x >> .gitignore && echo '*' > y/.gitignore && mkdir -p x/in &&
         echo x > x/in/package.json && echo x > y/.envrc && echo x > y/conftest.py && mkdir -p out && echo x > out/package.json`,
      );
      expect(pathsOf(held)).toEqual(['x/in/package.json', 'y/.envrc', 'y/conftest.py']);
      expect(existsSync(join(bench.root, 'out/package.json'))).toBe(true);
    });

    test('names that no build makes are held back in ignored folders, too, but not in those of packages', async () => {
      bench.git('init', '-q');
      await bench.unasked(`printf 'x\\n' > .gitignore; mkdir x`);
      const { held } = await bench.unasked(
        `echo x > x/.envrc; mkdir x/.vscode; echo x > x/AGENTS.md; echo x > x/package.json
         mkdir -p node_modules/p/.vscode`,
      );
      expect(pathsOf(held)).toEqual(['x/.envrc', 'x/.vscode', 'x/AGENTS.md']);
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
