// A journal that a program left behind must never redo what was taken back since, and never keep a program from starting.
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { codelabProgram } from '../support/codelab-program.ts';
import { takeJournal } from '../support/left-journal.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { contents, create, update } from '../support/small-patch.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

const files = { 'a.txt': 'a1\n', 'd/b.txt': 'b1\n' };
const diff = update('a.txt', 'a1', 'a2') + update('d/b.txt', 'b1', 'b2') + create('n/c.txt', 'c2');

test('the command line: a patch that was undone stays undone, however long after', () => {
  using scratch = scratchFolder({ files });
  const codelab = (...args: string[]): void => {
    const env = { ...process.env, CODELAB_HOME: scratch.home };
    const { status, stderr } = spawnSync(
      process.execPath,
      [codelabProgram, ...args, '--workspace', scratch.root],
      { env, encoding: 'utf8' },
    );
    expect(status, stderr).toBe(0);
  };
  const before = contents(scratch.root);
  codelab('tool', 'apply_patch', JSON.stringify({ diff }), '--approve', 'all');
  codelab('undo');
  expect(contents(scratch.root)).toEqual(before);
  const journals = join(scratch.home, 'journal');
  for (const name of existsSync(journals) ? readdirSync(journals) : [])
    utimesSync(join(journals, name), 0, 0);
  codelab('tool', 'read_file', '{"path":"a.txt"}');
  expect(contents(scratch.root)).toEqual(before);
});

describe('a journal that was left behind by a call that finished', () => {
  const between: Record<string, (bench: Workbench) => unknown> = {
    'an undo': (bench) => bench.call('undo', {}),
    'an undo and a redo': async (bench) => {
      await bench.call('undo', {});
      await bench.call('redo', {});
    },
    'somebody putting a file back by hand': ({ root }) => writeFileSync(join(root, 'a.txt'), 'a1\n'),
    'somebody removing a folder it made': ({ root }) => rmSync(join(root, 'n'), { recursive: true }),
    'a folder replaced by a link that leads out': ({ root, folder }) => {
      mkdirSync(join(folder, 'outside'));
      rmSync(join(root, 'd'), { recursive: true });
      symlinkSync(join(folder, 'outside'), join(root, 'd'));
    },
    'a folder replaced by a file': ({ root }) => {
      rmSync(join(root, 'd'), { recursive: true });
      writeFileSync(join(root, 'd'), 'a file now\n');
    },
    'a checkout of another folder to the same path': ({ root }) => {
      renameSync(root, `${root}.moved`);
      mkdirSync(join(root, 'd'), { recursive: true });
      for (const [path, text] of Object.entries(files)) writeFileSync(join(root, path), text);
    },
  };
  for (const boot of [undefined, 'another-boot'])
    for (const [label, happen] of Object.entries(between))
      test(`changes nothing after ${label}${boot === undefined ? '' : ', nor after a reboot'}`, async () => {
        await using bench = await workbench({ files, mode: 'trusted' });
        const journal = await takeJournal(bench, diff);
        await happen(bench);
        const before = contents(bench.root);
        journal.leave(boot === undefined ? {} : { boot });
        await bench.restart();
        expect(contents(bench.root)).toEqual(before);
        expect(readdirSync(bench.folder)).not.toContain('outside/b.txt');
        expect(journal.isLeft()).toBe(false);
        expect(bench.log.verify()).toBeUndefined();
      });

  /** The disk as it is when the machine lost power before anything was written: the very file of before, and none that is new. */
  function loseWrites(bench: Workbench, slot: string): void {
    const swap = (item: string, path: string): void => {
      linkSync(join(bench.home, 'trash', slot, item), join(bench.root, `${path}.before`));
      renameSync(join(bench.root, `${path}.before`), join(bench.root, path));
    };
    swap('0', 'a.txt');
    swap('1', 'd/b.txt');
    rmSync(join(bench.root, 'n'), { recursive: true });
    utimesSync(bench.root, 1, 1);
  }

  test('after a power failure what the disk lost is written again, and recorded', async () => {
    await using bench = await workbench({ files, mode: 'trusted' });
    const journal = await takeJournal(bench, diff);
    const expected = contents(bench.root);
    const [slot = ''] = readdirSync(join(bench.home, 'trash'));
    loseWrites(bench, slot);
    journal.leave({ boot: 'another-boot' });
    await bench.restart();
    expect(contents(bench.root)).toEqual(expected);
    const recovered = (await bench.log.read('s1')).filter(({ body }) => body.type === 'call.recovered');
    expect(recovered.map(({ body }) => body)).toEqual([
      {
        type: 'call.recovered',
        callId: 'patch',
        files: ['a.txt', 'd/b.txt', 'n/c.txt'].map((path) => ({ path, action: 'restored' })),
      },
    ]);
    expect(await bench.call('undo', {})).toMatchObject({ status: 'completed', data: { refused: [] } });
    expect(contents(bench.root)).toEqual(files);
  });

  test('after a power failure a path that somebody has touched since is left to them', async () => {
    await using bench = await workbench({ files, mode: 'trusted' });
    const journal = await takeJournal(bench, diff);
    const [slot = ''] = readdirSync(join(bench.home, 'trash'));
    loseWrites(bench, slot);
    writeFileSync(join(bench.root, 'a.txt'), 'mine\n');
    utimesSync(bench.root, Date.now() / 1000, Date.now() / 1000);
    journal.leave({ boot: 'another-boot' });
    await bench.restart();
    expect(contents(bench.root)).toEqual({ 'a.txt': 'mine\n', 'd/b.txt': 'b2\n' });
  });
});
