import { existsSync, linkSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commandBench } from '../support/command-bench.ts';
import { git, sampleCheckout } from '../support/sample-checkout.ts';
import { scratchFolder } from '../support/scratch-folder.ts';
import { treeState } from '../support/tree-state.ts';
import { worktreeState } from '../support/worktree-state.ts';

const lines: [string, string][] = [
  ['edits', 'echo more >> src/m1/f1.txt; sed -i s/line/LINE/ src/m2/*.txt; printf x > crlf.txt'],
  ['creates', 'mkdir -p new/deep; echo n > new/deep/n; echo m > "src/m1/né w"; ln -s ../crlf.txt new/link'],
  ['deletes', 'rm -r src/m3 odd links "with space"; rm crlf.txt empty bytes.bin private.txt'],
  ['renames', 'mv src/m1 src/moved; mv crlf.txt "c r.txt"; mv bin/run.sh bin/walk.sh; mv -f empty bytes.bin'],
  ['touches what is dirty and untracked', 'echo x >> src/m0/f0.txt; rm -r untracked hollow; mv a.log b'],
  ['changes modes', 'chmod 755 crlf.txt; chmod 600 bin/run.sh; chmod 700 src/m2; chmod 444 private.txt'],
  [
    'changes links',
    'ln -sfn elsewhere links/in; rm links/out; ln -s x links/x; rm crlf.txt; ln -s y crlf.txt',
  ],
  [
    'makes a folder of a file and a file of a folder',
    'rm crlf.txt; mkdir crlf.txt; echo i > crlf.txt/i; rm -r src/m4; echo f > src/m4; rm links/in; mkdir links/in',
  ],
  [
    'makes a link of a folder',
    'rm -r src/m4; ln -s m5 src/m4; rm -r hollow; ln -s src hollow; rm -r src/m6; ln -s /etc src/m6',
  ],
  [
    'closes folders',
    'chmod 555 src/m2; rm -r src/m5; mkdir -m 500 closed; mkdir -m 711 half; echo h > half/h',
  ],
  ['removes closed folders', 'chmod 700 hollow/inner; rm -r hollow'],
  [
    'rewrites everything by git',
    'git rm -rfq src odd; git -c user.name=t -c user.email=t@t commit -qm two; echo new > src',
  ],
  ['swaps two files', 'mv crlf.txt t; mv empty crlf.txt; mv t empty'],
  [
    'removes everything',
    'rm -rf src odd links bin untracked hollow "with space" *.txt *.bin empty .gitignore',
  ],
];

test.each(lines)('a command that %s is undone byte for byte, and redone', async (_what, line) => {
  using scratch = scratchFolder();
  sampleCheckout(scratch.root);
  await using bench = commandBench(scratch);
  const before = worktreeState(scratch.root);
  await bench.sh(line);
  const after = worktreeState(scratch.root);
  expect(after).not.toEqual(before);
  const undoOutcome = await bench.call('undo');
  expect(undoOutcome).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(worktreeState(scratch.root)).toEqual(before);
  expect(await bench.call('redo')).toMatchObject({ status: 'completed', data: { refused: [] } });
  expect(worktreeState(scratch.root)).toEqual(after);
  await bench.call('undo');
  expect(worktreeState(scratch.root)).toEqual(before);
});

test('a second name made for a file that was changed goes, and the file is as before', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a\n', 'keep/b.txt': 'b\n' } });
  await using bench = commandBench(scratch);
  const before = worktreeState(scratch.root);
  await bench.sh('echo changed > a.txt; ln a.txt keep/second; ln -f a.txt keep/b.txt');
  const changed = worktreeState(scratch.root);
  expect(await bench.call('undo')).toMatchObject({ status: 'completed' });
  expect(worktreeState(scratch.root)).toEqual(before);
  expect(await bench.call('redo')).toMatchObject({ status: 'completed' });
  expect(Object.keys(worktreeState(scratch.root))).toEqual(Object.keys(changed));
});

test('a file with two names that was written is as before, and the same file under both', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a\n' } });
  linkSync(join(scratch.root, 'a.txt'), join(scratch.root, 'b.txt'));
  await using bench = commandBench(scratch);
  const before = worktreeState(scratch.root);
  await bench.sh('echo changed > a.txt');
  const changed = worktreeState(scratch.root);
  expect(await bench.call('undo')).toMatchObject({ status: 'completed' });
  expect(worktreeState(scratch.root)).toEqual(before);
  expect(await bench.call('redo')).toMatchObject({ status: 'completed' });
  expect(worktreeState(scratch.root)).toEqual(changed);
});

test('what git has unchanged needs no copy', async () => {
  using scratch = scratchFolder();
  sampleCheckout(scratch.root);
  const budget = { copy: { bytes: 0, files: 0 }, walk: { entries: 1000, ms: 60_000 } };
  await using bench = commandBench({ ...scratch, budget });
  const before = worktreeState(scratch.root);
  await bench.sh('rm -r src bin odd');
  const undoOutcome = await bench.call('undo');
  // The file had uncommitted content, which git does not have.
  expect(undoOutcome).toMatchObject({ data: { refused: [{ path: 'src/m0/f0.txt' }] } });
  const { 'src/m0/f0.txt': _dirty, ...rest } = before;
  expect(worktreeState(scratch.root)).toEqual(rest);
});

test('what git’s folder lost can’t be brought back, and is named', async () => {
  using scratch = scratchFolder();
  sampleCheckout(scratch.root);
  await using bench = commandBench(scratch);
  const { notes } = await bench.sh('rm -r .git src/m1/f1.txt; echo x > untracked/u.txt');
  expect(notes).toContain("Removed, and undo can't bring it back: src/m1/f1.txt.");
  expect(await bench.call('undo')).toMatchObject({ data: { refused: [{ path: 'src/m1/f1.txt' }] } });
  expect(readFileSync(join(scratch.root, 'untracked/u.txt'), 'utf8')).toBe('untracked\n');
});

test('git is only read: its files stay as they were', async () => {
  using scratch = scratchFolder();
  sampleCheckout(scratch.root);
  await using bench = commandBench(scratch);
  const gits = treeState(join(scratch.root, '.git'));
  await bench.sh('rm -r src; echo x > crlf.txt');
  await bench.call('undo');
  expect(treeState(join(scratch.root, '.git'))).toEqual(gits);
});

test('a command that changes nothing leaves nothing behind', async () => {
  using scratch = scratchFolder();
  sampleCheckout(scratch.root);
  await using bench = commandBench(scratch);
  expect(
    await bench.sh('cat crlf.txt >/dev/null; touch crlf.txt untracked/u.txt; git status >/dev/null'),
  ).toMatchObject({
    paths: [],
  });
  expect(existsSync(join(scratch.home, 'trash')) ? readdirSync(join(scratch.home, 'trash')) : []).toEqual([]);
});

test('what a file was is refused by name when somebody changed it since', async () => {
  using scratch = scratchFolder();
  sampleCheckout(scratch.root);
  await using bench = commandBench(scratch);
  await bench.sh('echo 1 > crlf.txt; echo 2 > empty');
  writeFileSync(join(scratch.root, 'empty'), 'mine');
  const undoOutcome = await bench.call('undo');
  expect(undoOutcome).toMatchObject({ data: { refused: [{ path: 'empty' }] } });
  expect(readFileSync(join(scratch.root, 'empty'), 'utf8')).toBe('mine');
  expect(readFileSync(join(scratch.root, 'crlf.txt'), 'utf8')).toBe('a\r\nb\r\n');
});

test('ignored trees are left out, and it says so', async () => {
  using scratch = scratchFolder();
  sampleCheckout(scratch.root);
  await using bench = commandBench(scratch);
  const { notes, paths } = await bench.sh(
    'rm -r ignored; echo x > new.log; mkdir node_modules; echo n > node_modules/n',
  );
  expect(paths).toEqual([]);
  expect(notes).toEqual([
    'Undo leaves out what is ignored by git or made by tools: new.log, node_modules.',
    "Removed, and undo can't bring it back: ignored.",
  ]);
});

test('a name that is not UTF-8 is left out, and called removed only when it is', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a' } });
  writeFileSync(Buffer.concat([Buffer.from(`${scratch.root}/b`), Buffer.from([0xff])]), 'b');
  await using bench = commandBench(scratch);
  const leftOut = ['Undo leaves out what is not readable: b\ufffd.'];
  expect((await bench.sh('echo x > a.txt')).notes).toEqual(leftOut);
  expect((await bench.sh('echo y > a.txt; rm b*')).notes).toEqual([
    ...leftOut,
    "Removed, and undo can't bring it back: b\ufffd.",
  ]);
});

test('what is beyond the budget is named, and undo refuses it', async () => {
  using scratch = scratchFolder({ files: { 'small.txt': 's', 'large.txt': 'l'.repeat(5000) } });
  const budget = { copy: { bytes: 1000, files: 10 }, walk: { entries: 1000, ms: 1000 } };
  await using bench = commandBench({ ...scratch, budget });
  const { notes } = await bench.sh('echo x > small.txt; echo x > large.txt');
  expect(notes).toEqual(["Changed, and undo can't bring back what was there before: large.txt."]);
  expect(await bench.call('undo')).toMatchObject({
    status: 'completed',
    data: { refused: [{ path: 'large.txt', reason: 'its previous content was not stored' }] },
  });
  expect(readFileSync(join(scratch.root, 'small.txt'), 'utf8')).toBe('s');
  expect(readFileSync(join(scratch.root, 'large.txt'), 'utf8')).toBe('x\n');
});

test('what another call did meanwhile is not taken for the command’s', async () => {
  using scratch = scratchFolder({ files: { 'a.txt': 'a', 'b.txt': 'b' } });
  const other = async (): Promise<void> => {
    await bench.call('write_file', { path: 'b.txt', content: 'theirs' });
  };
  await using bench = commandBench({ ...scratch, meanwhile: other });
  const { notes, paths } = await bench.sh('echo x > a.txt');
  expect(paths).toEqual(['a.txt']);
  expect(notes).toEqual(['Changed by other calls meanwhile, so undo of this one leaves it: b.txt.']);
});

test('says what it changed of git’s own', async () => {
  using scratch = scratchFolder();
  sampleCheckout(scratch.root);
  await using bench = commandBench(scratch);
  const { notes } = await bench.sh('git add untracked; git config core.fsmonitor x; echo x > .git/commondir');
  expect(notes).toEqual([
    'It changed .git/config, .git/commondir, which controls what git executes. Check it before you use git.',
    "It changed git's own state (commits, branches or the index). Undo leaves that alone.",
  ]);
});

test('line endings that git converts come back as they were', async () => {
  using scratch = scratchFolder();
  const { root } = scratch;
  writeFileSync(join(root, '.gitattributes'), '* text=auto\nfixed filter=lower\n');
  for (const [name, text] of [
    ['all', 'a\r\nb\r\n'],
    ['none', 'a\nb\n'],
    ['fixed', 'abc\n'],
  ] as const)
    writeFileSync(join(root, name), text);
  git(root, 'init', '-q');
  git(root, 'config', 'filter.lower.clean', 'tr a-z A-Z');
  git(root, 'config', 'filter.lower.smudge', 'tr A-Z a-z');
  git(root, 'add', '.');
  git(root, 'commit', '-qm', 'one');
  await using bench = commandBench(scratch);
  const before = worktreeState(root);
  await bench.sh('rm all none fixed');
  expect(await bench.call('undo')).toMatchObject({ data: { refused: [] } });
  expect(worktreeState(root)).toEqual(before);
});
