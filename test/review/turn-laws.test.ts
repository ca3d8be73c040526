import { chmodSync, existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyHunks, type DiffHunk, readDiff } from '@codelab/protocol';
import { inspect, type ReviewedFile, readReview, runConsented } from '@codelab/runtime';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isRoot } from '../support/calls-in-child.ts';
import {
  agentStep,
  commandStep,
  type Step,
  take,
  textAt,
  unique,
  userStep,
  writeStartFiles,
} from '../support/review-turns.ts';
import { treeState } from '../support/tree-state.ts';
import { type Workbench, workbench } from '../support/workbench.ts';

let bench: Workbench;
// In memory where there is such a folder: a thousand turns are a thousand times a few syncs.
const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'codelab-test-'));
const openBench = async (): Promise<void> => {
  bench = await workbench({ folder, mode: 'trusted' });
};
beforeAll(openBench);
afterAll(async () => {
  await bench[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true, force: true });
});

const review = (session: string): Promise<ReviewedFile[]> =>
  inspect(
    bench.host,
    { session },
    async (context) => (await readReview(context, { session, turn: 1 })).files,
  );

/** The text of a file itself: what is binary, no file or a link to one has none. */
function ownText(path: string): string {
  const stat = lstatSync(join(bench.root, path), { throwIfNoEntry: false });
  const text = stat?.isFile() ? textAt(bench.root, path) : '';
  return text.includes('\0') ? '' : text;
}

/** The text of a file after some of its hunks are discarded, computed from its present text and its diff alone. */
function expectedText(file: ReviewedFile, keptIds: ReadonlySet<string>): string | undefined {
  const hunks = readDiff(file.diff)[0]?.hunks ?? [];
  const base = applyHunks(ownText(file.path), hunks.map(reversed));
  return applyHunks(
    base ?? 'the diff does not fit the file',
    hunks.filter((_, i) => keptIds.has(file.hunks[i]?.id ?? '')),
  );
}

function reversed({ oldStart, oldLines, newStart, newLines, lines, section }: DiffHunk): DiffHunk {
  const swapped = lines.map((line) => line.replace(/^[-+]/, (sign) => (sign === '+' ? '-' : '+')));
  return {
    oldStart: newStart,
    oldLines: newLines,
    newStart: oldStart,
    newLines: oldLines,
    section,
    lines: swapped,
  };
}

const usersIn = (text: string): string[] => text.match(/user \d+;/g) ?? [];
const signed = (file: ReviewedFile, sign: '+' | '-', only?: (id: string) => boolean): string =>
  (readDiff(file.diff)[0]?.hunks ?? [])
    .filter((_, i) => only?.(file.hunks[i]?.id ?? '') ?? true)
    .flatMap(({ lines }) => lines.filter((line) => line.startsWith(sign)))
    .join('\n');

function allText(below = ''): string {
  return readdirSync(join(bench.root, below))
    .map((name) => {
      const stat = lstatSync(join(bench.root, below, name));
      if (stat.isDirectory()) return allText(join(below, name));
      return stat.isFile() ? textAt(bench.root, join(below, name)) : '';
    })
    .join('\n');
}

/** The review shows no line of the user as the agent's, except lines that the agent moved or copied. */
function checkOwners(files: readonly ReviewedFile[], copied: ReadonlySet<string>): void {
  const removedLines = new Set([...copied, ...files.flatMap((file) => usersIn(signed(file, '-')))]);
  expect(
    files.flatMap((file) => usersIn(signed(file, '+'))).filter((line) => !removedLines.has(line)),
  ).toEqual([]);
}

/** Lines of the user that stand twice: `sed -i` makes a file of its own of a link. */
function copiedLines(): string[] {
  const lines = usersIn(allText());
  return lines.filter((line, at) => lines.indexOf(line) !== at);
}

type Expected = { file: ReviewedFile; isWhole: boolean; text: string | undefined };

function checkFiles(all: readonly Expected[]): void {
  for (const { file, isWhole, text } of all) {
    const place = isWhole ? (file.from ?? file.path) : file.path;
    if (isWhole && file.base === null) expect(existsSync(join(bench.root, file.path))).toBe(false);
    else expect([place, ownText(place)]).toEqual([place, text]);
  }
}

let turns = 0;

// A review reads the latest calls of the workspace: in a long run each would read those of thousands of turns.
async function emptyLog(): Promise<void> {
  await bench[Symbol.asyncDispose]();
  rmSync(bench.home, { recursive: true });
  await openBench();
}

async function checkTurn(steps: readonly Step[], picks: readonly boolean[]): Promise<void> {
  if (++turns % 250 === 0) await emptyLog();
  writeStartFiles(bench.root);
  const before = treeState(bench.root);
  const session = `s${unique()}`;
  const copied = new Set<string>();
  for (const step of steps) {
    await take(step, bench, session);
    for (const line of copiedLines()) copied.add(line);
  }
  const now = treeState(bench.root);
  const files = await review(session);
  const hasUser = steps.some(({ who }) => who === 'user');
  const ids = files.flatMap((file) => file.hunks.map(({ id }) => id));
  const keptIds = new Set(ids.filter((_, i) => picks[i % picks.length]));
  checkOwners(files, copied);
  if (files.length === 0 && !hasUser) expect(now).toEqual(before);
  if (keptIds.size === ids.length) return;
  const expected = files.flatMap((file) => {
    const keptCount = file.hunks.filter(({ id }) => keptIds.has(id)).length;
    if (file.diff === '' || keptCount === file.hunks.length) return [];
    return [{ file, isWhole: keptCount === 0, text: expectedText(file, keptIds) }];
  });
  // Lines that the agent removed and the reviewer kept removed are gone with their consent.
  const agreed = files.flatMap((file) => usersIn(signed(file, '-', (id) => keptIds.has(id))));
  const users = usersIn(allText()).filter((line) => !agreed.includes(line));
  // Lines that the agent copied go with their hunk; the originals stay.
  for (const line of files.flatMap((file) => usersIn(signed(file, '+', (id) => !keptIds.has(id)))))
    if (copied.has(line) && users.includes(line)) users.splice(users.indexOf(line), 1);
  const args = { turn: 1, hunks: ids.filter((id) => !keptIds.has(id)) };
  const call = { id: `c${unique()}`, session, tool: 'discard_changes', args, dialect: 'codelab' as const };
  const completed = { status: 'completed', data: { refused: [] } };
  expect(await runConsented(bench.host, call, { who: 'ann', via: 'test' })).toMatchObject(completed);
  checkFiles(expected);
  if (!hasUser && keptIds.size === 0) expect(treeState(bench.root)).toEqual(before);
  const remaining = allText();
  expect(users.filter((line) => !remaining.includes(line))).toEqual([]);
  expect(await bench.call('undo', {}, { session, id: `c${unique()}` })).toMatchObject(completed);
  expect(treeState(bench.root)).toEqual(now);
}

/** Which hunks are kept, over and over. */
const picks = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 });

const upTo = <T>(arbitrary: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> =>
  fc.array(arbitrary, { minLength: 1, maxLength });
/** For a long run: `REVIEW_RUNS=5000`. */
const runs = Number(process.env.REVIEW_RUNS ?? 300);
// A second try would be about other turns, and would hide the one that broke the law.
const law = { timeout: 400 * runs, retry: 0 };

test(
  'keeping some hunks of any turn and discarding the rest leaves what only the kept ones make of it; undo brings it back',
  law,
  async () => {
    await fc.assert(fc.asyncProperty(upTo(agentStep, 5), picks, checkTurn), { numRuns: runs / 2 });
  },
);

test(
  'the same while its user edits the same files: nothing of theirs is lost or taken for the agent’s',
  law,
  async () => {
    const step = fc.oneof({ weight: 3, arbitrary: agentStep }, { weight: 2, arbitrary: userStep });
    await fc.assert(fc.asyncProperty(upTo(step, 6), picks, checkTurn), { numRuns: runs / 2 });
  },
);

test('the same with commands among them', law, async () => {
  const step = fc.oneof(agentStep, userStep, commandStep, commandStep);
  await fc.assert(fc.asyncProperty(upTo(step, 4), picks, checkTurn), { numRuns: Math.ceil(runs / 60) });
});

test.each([[[true]], [[false]], [[true, false]], [[false, true]], [[false, true, true]]])(
  'a line of the user moves with its file, and a link takes the place of the file: with %j kept, the line is not taken for the agent’s',
  async (keptPicks) => {
    const steps: Step[] = [
      { who: 'user', path: 'link.txt', at: 0, count: 0, ending: '\n' },
      { who: 'move', path: 'b.txt', to: 'a.txt', overwrite: true },
      { who: 'move', path: 'link.txt', to: 'b.txt', overwrite: false },
    ];
    await checkTurn(steps, keptPicks);
  },
);

// A user without write access to a folder can't delete it whole either, unless they are root.
test.each(['700', '770', '1750', ...(isRoot ? ['500'] : [])])(
  'a deleted folder of mode %s comes back with it, and keeps out the same people while it is filled',
  async (octal) => {
    const mode = Number.parseInt(octal, 8);
    await using ownBench = await workbench({ mode: 'trusted', files: { 'd/e/c.txt': 'c\n' } });
    const folder = join(ownBench.root, 'd/e');
    chmodSync(folder, mode);
    const before = treeState(ownBench.root);
    await ownBench.call('delete_file', { path: 'd', recursive: true }, { turn: 1 });
    const { host } = ownBench;
    const modes: number[] = [];
    const lock: typeof host.lock = {
      hold(work) {
        modes.push(lstatSync(folder).mode & 0o7777);
        return host.lock.hold(work);
      },
      [Symbol.dispose]: () => host.lock[Symbol.dispose](),
    };
    const args = { turn: 1, all: true };
    const call = { id: 'discard', session: 's1', tool: 'discard_changes', args, dialect: 'codelab' as const };
    const discarded = await runConsented({ ...host, lock }, call, { who: 'ann', via: 'test' });
    expect(discarded).toMatchObject({ status: 'completed', data: { refused: [] } });
    expect(modes[0]).toBe(mode | 0o700);
    expect(treeState(ownBench.root)).toEqual(before);
  },
);
