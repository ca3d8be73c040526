// One fault in one call: a system call fails, once or from then on, or a folder is read-only. Afterwards every byte must still exist, the
// answer must be true, and the same call must work without the fault.
import { spawnSync } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Outcome } from '@codelab/protocol';
import { asNobody, isRoot } from './calls-in-child.ts';
import { type Ended, type Lane, layOut, runIn, start } from './sweep-bench.ts';
import type { Failure, Result } from './sweep-checks.ts';
import { failing, type Point, type Surveyed } from './sweep-points.ts';
import { describeDifference, differing, isSame, isTemp, readTree, type Tree, without } from './sweep-tree.ts';

type Fault = { point: Point; error: string; plus: '' | '+' } | { denied: string };

export type FaultCombination = { surveyed: Surveyed; fault: Fault };

const errorsOf: readonly [RegExp, readonly string[]][] = [
  [/^(rename|link)/, ['EACCES', 'EIO', 'ENOSPC', 'EXDEV']],
  [/^(mkdir|symlink)/, ['EACCES', 'EIO', 'ENOSPC']],
  [/^openat/, ['EACCES', 'EIO', 'ENOSPC', 'EMFILE']],
  [/write|sync|ftruncate|copy|fallocate/, ['EIO', 'ENOSPC']],
  [/./, ['EACCES', 'EIO']],
];

export function faultsOf(surveyed: Surveyed): FaultCombination[] {
  const failed = surveyed.points.flatMap((point): Fault[] => {
    const errors = errorsOf.find(([calls]) => calls.test(point.call))?.[1] ?? [];
    return errors.flatMap((error) => [
      { point, error, plus: '' },
      { point, error, plus: '+' },
    ]);
  });
  const folders = Object.entries(surveyed.old).filter(([, state]) => state.startsWith('folder'));
  const denied = isRoot ? folders.map(([path]): Fault => ({ denied: path })) : [];
  return [...denied, ...failed].map((fault) => ({ surveyed, fault }));
}

export function nameOfFault({ surveyed, fault }: FaultCombination): string {
  if ('denied' in fault) return `${surveyed.case.name}/denied/${fault.denied.replaceAll('/', ':')}/EACCES`;
  return `${surveyed.case.name}/${fault.point.call}/${fault.point.nth}/${fault.error}${fault.plus}`;
}

export async function runFault(home: Lane, combination: FaultCombination): Promise<Result> {
  const { surveyed, fault } = combination;
  const lane = 'denied' in fault ? asAnother(home) : home;
  await layOut(lane, surveyed.case);
  if ('denied' in fault) spawnSync('chown', ['-R', '65534:65534', lane.folder]);
  const texts = new Set(
    [surveyed.old, surveyed.new].flatMap(textsOf).concat(Object.values(surveyed.case.files)),
  );
  const textsBefore = textsIn(lane, texts);
  const order = { calls: [{ ...surveyed.case.call, id: 'it' }], isFaulty: true };
  const ended = await faulty(lane, fault, () =>
    runIn(lane, order, 'denied' in fault ? [] : failing(fault.point, fault.error, fault.plus)),
  );
  const right = without(treeOf(lane), isTemp);
  const outcome = outcomeOf(ended);
  const failures = [...checkAnswer(outcome, right, surveyed), ...checkBytes('at once', lane, textsBefore)];
  try {
    const first = await start(lane, [{ tool: 'list_files', args: {}, id: 'first' }]);
    if (first.damage !== undefined) failures.push({ class: 'log', text: JSON.stringify(first.damage) });
    // The fault may have hit a thread of Node's own, which aborts the process: then the log must say what became of the call.
    const recorded = first.finished.find(({ callId }) => callId === 'it');
    failures.push(
      ...checkSettled(lane, outcome ?? recorded, surveyed),
      ...checkBytes('after a start', lane, textsBefore),
    );
    failures.push(...(await checkRetry(lane, surveyed)));
    failures.push(...checkBytes('after trying again', lane, textsBefore));
  } catch (error) {
    failures.push({ class: 'start', text: error instanceof Error ? error.message : String(error) });
  }
  return { wasKilled: outcome === undefined, failures };
}

/** Every program runs as another user, so none within the process that stays. */
function asAnother({ checker: _, ...lane }: Lane): Lane {
  return { ...lane, wrapper: asNobody };
}

async function faulty(lane: Lane, fault: Fault, run: () => Promise<Ended>): Promise<Ended> {
  if (!('denied' in fault)) return await run();
  chmodSync(join(lane.root, fault.denied), 0o555);
  try {
    return await run();
  } finally {
    // Wherever it is now.
    spawnSync('chmod', ['-R', 'u+w', lane.root, lane.home]);
  }
}

/** A folder that was made read-only may have kept its mode at its new place. */
function treeOf({ root }: Lane): Tree {
  const entries = Object.entries(readTree(root));
  return Object.fromEntries(
    entries.map(([path, state]) => [path, state.replace(/^folder 555$/, 'folder 755')]),
  );
}

function outcomeOf({ stdout }: Ended): Outcome | undefined {
  const line = stdout.split('\n').find((line) => line.startsWith('{'));
  return line === undefined ? undefined : (JSON.parse(line) as { outcomes: Outcome[] }).outcomes[0];
}

/** A call that failed has changed nothing, or says which files it has left changed. */
function checkAnswer(outcome: Outcome | undefined, right: Tree, { old, new: later }: Surveyed): Failure[] {
  if (outcome === undefined) return [];
  const fail = (text: string): Failure[] => [{ class: 'answer', text: `${codeIn(outcome)}, but ${text}` }];
  if (outcome.status === 'completed')
    return isSame(right, later) || isNamed(outcome, right, later)
      ? []
      : fail(describeDifference(right, later));
  if (isSame(right, old)) return [];
  if (outcome.error.code !== 'OUTCOME_UNKNOWN') {
    const isAllNamed = differing(right, old).every((path) => foldersIn(outcome.error).includes(path));
    return isAllNamed ? [] : fail(describeDifference(right, old));
  }
  return isNamed(outcome, right, old) ? [] : fail(`it does not name ${differing(right, old).join(', ')}`);
}

/** Empty folders that it says it could not remove again. */
function foldersIn({ details }: { details?: Record<string, unknown> | undefined }): unknown[] {
  return Array.isArray(details?.folders) ? details.folders : [];
}

/** Whether it names every file that differs; folders cover their content. */
function isNamed(outcome: Outcome, tree: Tree, expected: Tree): boolean {
  const text = JSON.stringify(outcome);
  const isFolder = (path: string): boolean => /^folder/.test(tree[path] ?? expected[path] ?? '');
  // A second name of a named file changes with it.
  const isInNamed = (path: string): boolean =>
    path.split('/').some((_, i, names) => text.includes(JSON.stringify(names.slice(0, i + 1).join('/')))) ||
    text.includes(path);
  const isTwin = (path: string): boolean => path === 'twin.txt';
  return differing(tree, expected).every((path) => isFolder(path) || isTwin(path) || isInNamed(path));
}

const codeIn = (outcome: Outcome): string =>
  outcome.status === 'completed' ? 'completed' : outcome.error.code;

/** After the next start: no intermediate state is left, and a call that was not done has no effect. */
function checkSettled(lane: Lane, outcome: Outcome | undefined, { old, new: later }: Surveyed): Failure[] {
  const tree = treeOf(lane);
  const leftTemps = Object.keys(tree).filter(isTemp);
  if (leftTemps.length > 0)
    return [{ class: 'temp', text: `left in the workspace: ${leftTemps.slice(0, 5).join(', ')}` }];
  if (isSame(tree, old) || isSame(tree, later)) return [];
  if (outcome !== undefined && isNamed(outcome, tree, old)) return [];
  return [{ class: 'mixture', text: `after a start: ${describeDifference(tree, old)}` }];
}

/** The same again works; where it was done already, undo brings the old state back. */
async function checkRetry(lane: Lane, { case: sweepCase, old, new: later }: Surveyed): Promise<Failure[]> {
  const tree = treeOf(lane);
  const isDone = isSame(tree, later);
  if (isDone && sweepCase.call.tool === 'undo') return [];
  const call = isDone ? { tool: 'undo', args: {} } : sweepCase.call;
  const { outcomes } = await start(lane, [{ ...call, id: 'again' }]);
  const expected = isDone ? old : later;
  const after = treeOf(lane);
  const [outcome] = outcomes;
  const isExplained =
    !isDone &&
    !isSame(tree, old) &&
    outcome?.status !== 'completed' &&
    Object.keys({ ...tree, ...old }).some((path) => outcome?.error.message.includes(path));
  if (isSame(without(after, isTemp), expected) || isExplained) return [];
  const answer = JSON.stringify(outcome?.status === 'completed' ? outcome.data : outcome?.error).slice(
    0,
    200,
  );
  return [{ class: 'again', text: `${call.tool}: ${answer}; ${describeDifference(after, expected)}` }];
}

function checkBytes(when: string, lane: Lane, textsBefore: ReadonlySet<string>): Failure[] {
  const found = textsIn(lane, textsBefore);
  const lostTexts = [...textsBefore].filter((text) => !found.has(text));
  if (lostTexts.length === 0) return [];
  const text = `${when}: ${lostTexts.length} files’ contents are nowhere, such as ${JSON.stringify(lostTexts[0]?.slice(0, 40))}`;
  return [{ class: 'lost', text }];
}

const textsOf = (tree: Tree): string[] =>
  Object.values(tree)
    .filter((state) => state.startsWith('file'))
    .map((state) => state.replace(/^file \d+ /, ''));

/** Which of these texts are in the workspace, or stored outside it; the log does not count, since no file can be restored from it. */
function textsIn({ root, home }: Lane, texts: ReadonlySet<string>): Set<string> {
  const files = [root, home].flatMap((folder) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !/^sessions\./.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((path) => !path.startsWith(join(root, '.git')) && !path.startsWith(join(home, 'blobs'))),
  );
  const contents = files.map((path) => readFileSync(path, 'latin1'));
  return new Set([...texts].filter((text) => contents.some((content) => content.includes(text))));
}
