// CodeLab is killed while an unasked command runs: the next start knows what the command had changed, undo takes it back, and what its user
// did after the kill stays.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Effect } from '@codelab/protocol';
import { inspect, readReview } from '@codelab/runtime';
import { describe, expect, test } from 'vitest';
import { newRepository } from '../support/real-git.ts';
import { noSandbox } from '../support/sandbox-bench.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const files = {
  'a.txt': 'a\n',
  'b.txt': 'b\n',
  'd/c.txt': 'c\n',
  'd/gone.txt': 'gone\n',
  'mine.txt': 'mine\n',
};
const script = [
  'echo changed > a.txt; echo changed > b.txt; rm d/gone.txt; mkdir n; echo new > n/new.txt; chmod 600 d/c.txt',
  'sleep 0.3; echo up; exec tail -f /dev/null',
].join('; ');

type Scratch = ReturnType<typeof scratchFolder>;

/** Runs the script until it says so, then kills the host with everything in the sandbox. */
async function killed({ folder, root }: Scratch, command = 'sh script.sh'): Promise<void> {
  writeFileSync(join(root, 'script.sh'), script);
  const host = spawn(
    process.execPath,
    [join(import.meta.dirname, '../support/command-host.ts'), folder, command],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(host, 'exit');
  await Promise.race([once(host.stdout, 'data'), ended.then(() => Promise.reject(new Error('no command')))]);
  host.kill('SIGKILL');
  await ended;
}

async function recoveredOutcome(bench: Workbench): Promise<{ effects: readonly Effect[]; message: string }> {
  const outcome = await (await bench.host.session('s1')).outcome('killed');
  if (outcome === undefined || outcome.status === 'completed') throw new Error('not settled');
  return { effects: outcome.effects, message: outcome.error.message };
}

const text = ({ root }: Scratch, path: string): string => readFileSync(join(root, path), 'utf8');
const reviewed = (bench: Workbench): Promise<string[]> =>
  inspect(bench.host, { session: 's1' }, async (context) =>
    (await readReview(context, { session: 's1', turn: 1 })).files.map(({ path }) => path),
  );

describe.skipIf(noSandbox !== undefined)(
  `a killed host (${noSandbox ?? 'bubblewrap'})`,
  { timeout: 90_000 },
  () => {
    test.each(['in a repository', 'without one'])(
      'what its command changed is reviewed and undone, %s',
      async (label) => {
        using scratch = scratchFolder({ files });
        if (label === 'in a repository') {
          const git = newRepository(scratch.root);
          git('add', '.');
          git('commit', '-qm', 'first');
          writeFileSync(join(scratch.root, 'b.txt'), 'uncommitted\n');
        }
        const b = text(scratch, 'b.txt');
        await killed(scratch);
        await using bench = await workbench({ folder: scratch.folder, mode: 'review' });
        const { message } = await recoveredOutcome(bench);
        expect(message).toContain('It had changed a.txt, b.txt');
        expect(await reviewed(bench)).toEqual(['a.txt', 'b.txt', 'd/c.txt', 'd/gone.txt', 'n/new.txt']);
        expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
        expect([text(scratch, 'a.txt'), text(scratch, 'b.txt'), text(scratch, 'd/gone.txt')]).toEqual([
          ...['a\n', b, 'gone\n'],
        ]);
        expect(existsSync(join(scratch.root, 'n'))).toBe(false);
        expect(await reviewed(bench)).toEqual([]);
        expect(readdirSync(join(scratch.folder, 'home/before'))).toEqual([]);
      },
    );

    test('what its user did after the kill stays, also in files that the command line names', async () => {
      using scratch = scratchFolder({ files });
      await killed(scratch, 'echo x > mine.txt; rm d/gone.txt; echo y > d/c.txt; sh script.sh');
      writeFileSync(join(scratch.root, 'mine.txt'), 'my own\n');
      writeFileSync(join(scratch.root, 'made.txt'), 'my own\n');
      rmSync(join(scratch.root, 'd/c.txt'));
      await using bench = await workbench({ folder: scratch.folder, mode: 'review' });
      await bench.call('undo', {});
      expect([text(scratch, 'mine.txt'), text(scratch, 'made.txt'), text(scratch, 'a.txt')]).toEqual([
        ...['my own\n', 'my own\n', 'a\n'],
      ]);
      expect(existsSync(join(scratch.root, 'd/c.txt'))).toBe(false);
    });

    test('a renamed file is not taken away when it is not known who deleted the old name', async () => {
      using scratch = scratchFolder({ files });
      await killed(scratch, 'mv mine.txt renamed.txt; sh script.sh');
      writeFileSync(join(scratch.root, 'made.txt'), 'my own\n');
      await using bench = await workbench({ folder: scratch.folder, mode: 'review' });
      const refused = { path: 'renamed.txt', reason: expect.stringContaining('give both paths') };
      expect(await bench.call('undo', {})).toMatchObject({
        status: 'completed',
        data: { refused: expect.arrayContaining([expect.objectContaining(refused)]) },
      });
      expect(text(scratch, 'renamed.txt')).toBe('mine\n');
      await bench.call('undo', { paths: ['mine.txt', 'renamed.txt'] });
      expect([text(scratch, 'mine.txt'), existsSync(join(scratch.root, 'renamed.txt'))]).toEqual([
        ...['mine\n', false],
      ]);
    });

    test('what was written down is of no use when it is cut, and the call is ended all the same', async () => {
      using scratch = scratchFolder({ files });
      await killed(scratch);
      const folder = join(scratch.folder, 'home/before');
      for (const name of readdirSync(folder)) {
        const file = join(folder, name);
        writeFileSync(file, readFileSync(file).subarray(0, -20));
      }
      await using bench = await workbench({ folder: scratch.folder, mode: 'review' });
      expect((await recoveredOutcome(bench)).effects).toEqual([]);
      expect(text(scratch, 'a.txt')).toBe('changed\n');
      expect(readdirSync(folder)).toEqual([]);
    });

    test('changes that may be somebody else’s are named by undo, and undone when they are named', async () => {
      using scratch = scratchFolder({ files });
      await killed(scratch);
      const folder = join(scratch.folder, 'home/before');
      for (const name of readdirSync(folder)) if (name.includes('.')) rmSync(join(folder, name));
      await using bench = await workbench({ folder: scratch.folder, mode: 'review' });
      await recoveredOutcome(bench);
      const refused = await bench.call('undo', {});
      expect(refused).toMatchObject({
        status: 'failed',
        error: { code: 'FILE_NOT_FOUND', details: { reason: 'uncertain' } },
      });
      expect(refused.status !== 'completed' && refused.error.message).toMatch(
        /^Nothing was undone\. While a command ran, a\.txt, b\.txt, .* changed.*codelab undo --path PATH/,
      );
      expect(text(scratch, 'a.txt')).toBe('changed\n');
      await bench.call('undo', { paths: ['a.txt'] });
      expect([text(scratch, 'a.txt'), text(scratch, 'b.txt')]).toEqual(['a\n', 'changed\n']);
    });

    test('nothing is left after a command that has ended', async () => {
      await using bench = await workbench({ files, mode: 'review' });
      await bench.call('run_command', { command: 'echo x > a.txt' });
      expect(readdirSync(join(bench.home, 'before'))).toEqual([]);
    });
  },
);
