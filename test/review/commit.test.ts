// A commit of a review holds exactly the changes that the review shows, and the index follows for the committed paths alone.
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { inspect, type ReviewedFile, readReview, runConsented } from '@codelab/runtime';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { dataOf, type GitBench, gitBench } from '../support/git-bench.ts';
import { treeState } from '../support/tree-state.ts';

const numbered = Array.from({ length: 30 }, (_, i) => `line ${i + 1}\n`);
const start = {
  'a.txt': numbered.join(''),
  'b.txt': 'one\ntwo\nthree\n',
  'd/x.txt': 'x\n',
  'd/y.txt': 'y\n',
};

let bench: GitBench;
let session: string;
let lastId = 0;

beforeAll(async () => {
  bench = await gitBench({ files: start, mode: 'trusted' });
});
afterAll(() => bench[Symbol.asyncDispose]());
beforeEach(() => {
  session = `s${++lastId}`;
  bench.git('reset', '--quiet', '--hard', bench.git('rev-list', '--max-parents=0', 'HEAD').trim());
  bench.git('clean', '--quiet', '-fdx');
});

const agent = (turn: number, tool: string, args: Record<string, unknown>): Promise<Outcome> =>
  bench.call(tool, args, { session, turn, id: `c${++lastId}` });
const commit = (turn: number | null): Promise<Outcome> =>
  runConsented(
    bench.host,
    {
      id: `c${++lastId}`,
      session,
      tool: 'commit_review',
      args: { message: 'Reviewed', turn },
      dialect: 'codelab',
    },
    { who: 'ann', via: 'test' },
  );
const review = (turn: number | null): Promise<ReviewedFile[]> =>
  inspect(bench.host, { session }, async (context) => (await readReview(context, { session, turn })).files);
const text = (path: string): string => readFileSync(join(bench.root, path), 'utf8');
const edit = (path: string, line: number, to: string): void =>
  bench.writeText(
    path,
    text(path)
      .split(/(?<=\n)/)
      .with(line - 1, to)
      .join(''),
  );
const change = (turn: number, path: string, line: number, to: string): Promise<Outcome> =>
  agent(turn, 'write_file', {
    path,
    content: text(path)
      .split(/(?<=\n)/)
      .with(line - 1, to)
      .join(''),
  });
const worktreeFiles = (): Record<string, unknown> =>
  Object.fromEntries(Object.entries(treeState(bench.root)).filter(([path]) => !path.startsWith('.git')));
/** The lines that the last commit changed. */
const committed = (): string[] =>
  bench
    .git('show', '--format=', '--no-renames', '-U0', 'HEAD')
    .split('\n')
    .filter((line) => /^[-+](?![-+]{2} )/.test(line));

describe('a commit of a turn', () => {
  test('leaves out what other turns and the user changed in the same file, and changes neither files nor what is staged', async () => {
    edit('a.txt', 2, 'mine\n');
    bench.git('add', 'a.txt');
    bench.writeText('b.txt', 'one\nstaged\nthree\n');
    bench.git('add', 'b.txt');
    await change(1, 'a.txt', 10, 'first turn\n');
    await change(2, 'a.txt', 20, 'second turn\n');
    edit('a.txt', 28, 'mine too\n');
    const files = worktreeFiles();
    expect(dataOf(await commit(2))).toMatchObject({ files_committed: 1, insertions: 1, deletions: 1 });
    expect(committed()).toEqual(['-line 20', '+second turn']);
    expect(dataOf(await commit(1))).toMatchObject({ files_committed: 1 });
    expect(committed()).toEqual(['-line 10', '+first turn']);
    expect(worktreeFiles()).toEqual(files);
    expect(bench.git('diff', '--cached', '-U0').match(/^[-+](?![-+]{2} ).*/gm)).toEqual([
      ...['-line 2', '+mine', '-two', '+staged'],
    ]);
    expect(bench.git('diff', '-U0').match(/^[-+](?![-+]{2} ).*/gm)).toEqual(['-line 28', '+mine too']);
    expect(await commit(1)).toMatchObject({ error: { details: { reason: 'nothing_to_commit' } } });
  });

  test('takes new, deleted and moved files, links and permissions with it', async () => {
    bench.writeText('mine.txt', 'mine\n');
    await agent(1, 'write_file', { path: 'n/new.txt', content: 'new\n' });
    await agent(1, 'delete_file', { path: 'b.txt' });
    await agent(1, 'move_file', { from: 'd', to: 'e' });
    await agent(1, 'run_command', { command: 'chmod +x a.txt && ln -s a.txt link' });
    await agent(1, 'write_file', { path: 'e/y.txt', content: 'y\nmore\n' });
    dataOf(await commit(1));
    expect(bench.git('status', '--porcelain')).toBe('?? mine.txt\n');
    expect(bench.git('ls-tree', '-r', 'HEAD').replace(/ blob \w+/g, '')).toBe(
      ['100755\ta.txt', '100644\te/x.txt', '100644\te/y.txt', '120000\tlink', '100644\tn/new.txt', ''].join(
        '\n',
      ),
    );
  });

  test('keeps line endings that git converts', async () => {
    bench.git('config', 'core.autocrlf', 'true');
    try {
      bench.writeText('b.txt', 'one\r\ntwo\r\nthree\r\n');
      await change(1, 'b.txt', 3, 'THREE\r\n');
      edit('b.txt', 1, 'mine\r\n');
      dataOf(await commit(1));
      expect(bench.git('cat-file', 'blob', 'HEAD:b.txt')).toBe('one\ntwo\nTHREE\n');
    } finally {
      bench.git('config', '--unset', 'core.autocrlf');
    }
  });

  test('is the first of a repository, and needs no index', async () => {
    bench.git('checkout', '--quiet', '--orphan', `empty${lastId}`);
    bench.git('rm', '-rq', '--cached', '.');
    await agent(1, 'write_file', { path: 'first.txt', content: 'first\n' });
    try {
      expect(dataOf(await commit(1))).toMatchObject({ files_committed: 1, insertions: 1 });
      expect(bench.git('log', '--format=%s')).toBe('Reviewed\n');
      expect(bench.git('ls-files')).toBe('first.txt\n');
    } finally {
      bench.git('checkout', '--quiet', '--force', 'main');
    }
  });
});

describe('it is refused', () => {
  const refused = async (outcome: Promise<Outcome>, words: RegExp): Promise<void> => {
    const head = bench.git('rev-parse', 'HEAD');
    const index = bench.git('ls-files', '--stage');
    expect(await outcome).toMatchObject({ error: { message: expect.stringMatching(words) } });
    expect([bench.git('rev-parse', 'HEAD'), bench.git('ls-files', '--stage')]).toEqual([head, index]);
  };

  test('where the same lines were changed by others since the last commit', async () => {
    edit('a.txt', 10, 'mine\n');
    await change(1, 'a.txt', 10, 'agent\n');
    await refused(commit(1), /a\.txt: line 10: you or other turns changed these lines/);
    await change(2, 'a.txt', 10, 'agent again\n');
    await refused(commit(2), /line 10/);
  });

  test('where a turn changed a file that only an earlier one made', async () => {
    await agent(1, 'write_file', { path: 'new.txt', content: 'one\n' });
    await agent(2, 'write_file', { path: 'new.txt', content: 'one\ntwo\n' });
    await refused(commit(2), /not in the last commit/);
    dataOf(await commit(null));
    expect(committed()).toEqual(['+one', '+two']);
  });

  test('where staged changes stand in the same lines, and during a merge', async () => {
    bench.writeText('b.txt', 'one\nstaged\nthree\n');
    bench.git('add', 'b.txt');
    bench.writeText('b.txt', 'one\ntwo\nthree\n');
    await change(1, 'b.txt', 2, 'agent\n');
    await refused(commit(1), /staged changes/);
    writeFileSync(join(bench.root, '.git/MERGE_HEAD'), bench.git('rev-parse', 'HEAD'));
    await refused(commit(1), /merge is in progress/);
    rmSync(join(bench.root, '.git/MERGE_HEAD'));
  });

  test('while another git process holds the index', async () => {
    await change(1, 'b.txt', 2, 'agent\n');
    writeFileSync(join(bench.root, '.git/index.lock'), '');
    await refused(commit(1), /Another git process is running/);
    expect(existsSync(join(bench.root, '.git/index.lock'))).toBe(true);
    rmSync(join(bench.root, '.git/index.lock'));
  });
});

test('hooks are not run, and a link in the place of a folder leads nowhere', async () => {
  const hook = join(bench.root, '.git/hooks/post-commit');
  writeFileSync(hook, '#!/bin/sh\ntouch ran\n');
  chmodSync(hook, 0o755);
  await change(1, 'd/x.txt', 1, 'agent\n');
  dataOf(await commit(1));
  expect(existsSync(join(bench.root, 'ran'))).toBe(false);
  rmSync(hook);
  await change(2, 'd/x.txt', 1, 'again\n');
  renameSync(join(bench.root, 'd'), join(bench.folder, `elsewhere${lastId}`));
  symlinkSync(join(bench.folder, `elsewhere${lastId}`), join(bench.root, 'd'));
  expect((await commit(2)).status).toBe('failed');
});

type Edit = { who: 'user' | 1 | 2; path: 'a.txt' | 'b.txt'; at: number; drop: number; add: number };
const anEdit: fc.Arbitrary<Edit> = fc.record({
  who: fc.constantFrom('user' as const, 1 as const, 2 as const),
  path: fc.constantFrom('a.txt' as const, 'b.txt' as const),
  at: fc.nat(30),
  drop: fc.nat(2),
  add: fc.nat(2),
});

async function play({ who, path, at, drop, add }: Edit): Promise<void> {
  const lines = text(path).split(/(?<=\n)/);
  const fresh = Array.from({ length: add }, () => `by ${who} ${++lastId}\n`);
  const content = lines.toSpliced(at % (lines.length + 1), drop, ...fresh).join('');
  if (who === 'user') bench.writeText(path, content);
  else await agent(who, 'write_file', { path, content });
}

function changedPaths(files: readonly ReviewedFile[]): string[] {
  return files
    .flatMap(({ diff }) => diff.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line)))
    .sort();
}

test('over random edits of two turns and their user it holds the lines of the review, or is refused', async () => {
  let doneCount = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(anEdit, { minLength: 2, maxLength: 7 }),
      fc.boolean(),
      async (edits, isStaged) => {
        session = `s${++lastId}`;
        bench.git('reset', '--quiet', '--hard', bench.git('rev-list', '--max-parents=0', 'HEAD').trim());
        for (const edit of edits) await play(edit);
        if (isStaged) bench.git('add', 'b.txt');
        const [files, reviewed, index] = [worktreeFiles(), await review(2), bench.git('ls-files', '-s')];
        const head = bench.git('rev-parse', 'HEAD');
        const outcome = await commit(2);
        expect(worktreeFiles()).toEqual(files);
        if (outcome.status !== 'completed') {
          expect([bench.git('rev-parse', 'HEAD'), bench.git('ls-files', '-s')]).toEqual([head, index]);
          return;
        }
        doneCount++;
        expect(committed().sort()).toEqual(changedPaths(reviewed));
      },
    ),
    { numRuns: 12 },
  );
  expect(doneCount).toBeGreaterThan(2);
}, 120_000);
