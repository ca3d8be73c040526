// Whatever a command and a user do in turns: undo takes back all of the command's and nothing of the user's.
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { pacesIn } from '../support/paced-command.ts';
import { git } from '../support/sample-checkout.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { worktreeState } from '../support/worktree-state.ts';

const files: Record<string, string> = {
  'both/c1': 'one\n',
  'both/c2': 'two\n',
  'both/u1': 'user one\n',
  'both/u2': 'user two\n',
  'c/f': 'f\n',
  'c/deep/g': 'g\n',
  'u/f': 'user f\n',
  'u/deep/g': 'user g\n',
};

/** Ways of changing files that differ in what they leave to be seen; each fails quietly where it makes no sense. */
const commands = [
  'echo more >> both/c1',
  'echo other > both/c2',
  'sed -i s/o/O/ both/c1 both/c2',
  'cp -p both/c1 both/c-kept',
  'touch -d 2001-02-03 both/c2; echo x > c/dated; touch -d 2040-01-01 c/dated',
  'mv c/deep c/moved',
  'mv both/c1 c/taken',
  'tar -C c -cf c/t.tar f; tar -C both -xf c/t.tar; mv both/f both/c-unpacked',
  'ln -f both/c2 c/hard; ln -sfn ../both c/soft',
  'chmod 600 both/c1; chmod 700 c',
  'rm -rf c/deep c/moved c/f',
  'mkdir -p c/new/er; seq 1000 > c/new/er/n',
  'truncate -s 100000 c/sparse',
  'git checkout -q both/c1 both/c2 c',
  'git rm -qf c/f',
  'head -c 300000 /dev/zero > c/large',
  'mv "$OUTSIDE" both/c-from-outside',
];

const users: ((root: string) => void)[] = [
  (root) => writeFileSync(join(root, 'both/u1'), 'saved'),
  (root) => writeFileSync(join(root, 'both/u-new'), 'made'),
  (root) => writeFileSync(join(root, 'u/f'), 'u'.repeat(20_000)),
  (root) => {
    writeFileSync(join(root, 'both/.u2.swp'), 'saved as editors do');
    renameSync(join(root, 'both/.u2.swp'), join(root, 'both/u2'));
  },
  (root) => chmodSync(join(root, 'both/u1'), 0o600),
  (root) => rmSync(join(root, 'u/f'), { force: true }),
  (root) => rmSync(join(root, 'u/deep'), { recursive: true, force: true }),
  (root) => mkdirSync(join(root, 'u/new/folder'), { recursive: true }),
];
/** Where both write, the last writer counts. */
const lastWord = (root: string): void => writeFileSync(join(root, 'both/c1'), 'the user’s, at last');

const turn = fc.record({
  command: fc.subarray(commands, { minLength: 1, maxLength: 4 }),
  user: fc.subarray(users, { minLength: 1, maxLength: 3 }),
});

test('undo(command) leaves exactly what the user did meanwhile', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(turn, { minLength: 1, maxLength: 2 }), async (turns) => {
      using scratch = scratchFolder({ files });
      const { root } = scratch;
      git(root, 'init', '-q');
      git(root, 'add', '.');
      git(root, 'commit', '-qm', 'one');
      const outside = join(scratch.folder, 'outside');
      writeFileSync(outside, 'from outside');
      const paces = pacesIn(root);
      await using bench = commandBench(scratch);
      const before = stateOf(root);
      const steps = turns.map(({ command }) => `${command.join('; ')}; ${paces.pause}`);
      const running = bench.sh(`OUTSIDE=${outside}; exec 2>/dev/null; ${steps.join('; ')}; true`);
      const expected = { ...before };
      for (const [i, { user }] of turns.entries()) {
        await paces.reached();
        const then = stateOf(root);
        for (const act of i === turns.length - 1 ? [...user, lastWord] : user) act(root);
        const now = stateOf(root);
        for (const path of new Set([...Object.keys(then), ...Object.keys(now)]))
          if (then[path] !== now[path]) setOrDelete(expected, path, now[path]);
        await paces.goOn();
      }
      await running;
      const after = stateOf(root);
      const undoOutcome = await bench.call('undo');
      // A file missing from a folder that the user has changed since may have been removed by either.
      for (const path of refusedIn(undoOutcome)) {
        // What comes from outside, or from where the user has put another file since, may be the only copy.
        if (path === 'both/c-from-outside' || path === 'c/taken') {
          setOrDelete(expected, path, after[path]);
          continue;
        }
        expect([path, after[path]]).toEqual([path, undefined]);
        delete expected[path];
      }
      expect(stateOf(root)).toEqual(expected);
    }),
    { numRuns: 12 },
  );
}, 120_000);

function setOrDelete(state: Record<string, string>, path: string, now: string | undefined): void {
  if (now === undefined) delete state[path];
  else state[path] = now;
}

function refusedIn(undoOutcome: Outcome): string[] {
  const { refused } =
    undoOutcome.status === 'completed' ? undoOutcome.data : (undoOutcome.error.details ?? {});
  return ((refused ?? []) as { path: string }[]).map(({ path }) => path);
}

/** Without the paces, and how many links there are: what is kept of a file is one more. */
function stateOf(root: string): Record<string, string> {
  const ownEntries = Object.entries(worktreeState(root)).filter(([path]) => !path.startsWith('node_modules'));
  return Object.fromEntries(ownEntries.map(([path, text]) => [path, text.replace(/ ×\d+/, '')]));
}
