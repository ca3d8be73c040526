// Makes a command's changes to the workspace undoable like an edit: walk the tree, copy what nothing else has → (the command runs)
// → walk again, restore the old contents, name what cannot be undone.
import { setImmediate as otherWork } from 'node:timers/promises';
import { type Effect, firstNames } from '@codelab/protocol';
import { findDeciding, holdBack } from '../held-back/hold-back.ts';
import type { HoldBackResult } from '../held-back/take-each.ts';
import { runInTurns } from '../platform/steps.ts';
import { isProtectedPath } from '../policy/protected-names.ts';
import type { NoteSpan } from '../process/family/watch-family.ts';
import { type HeldBack, heldBackNotes } from '../process/held-back.ts';
import {
  gitNotes,
  gitState,
  ignoreRulesAbove,
  readTrackedFiles,
  type TrackedFiles,
} from '../snapshot/git-state.ts';
import {
  type BeforeSlot,
  type CopyBudget,
  defaultBudget,
  keepBefore,
  openBeforeSlot,
  removePackedCopies,
  type WatchBudget,
} from '../snapshot/kept-before.ts';
import { isNamedIn, namesLeftOut, sureObjects } from '../snapshot/not-kept.ts';
import { openAgain } from '../snapshot/repositories.ts';
import { readSavedTrace, saveBefore } from '../snapshot/saved-before.ts';
import type { TreeBefore } from '../snapshot/tree-before.ts';
import { type Tree, walkTree } from '../snapshot/walk-tree.ts';
import type { Evidence } from '../snapshot/who-wrote.ts';
import type { RunContext } from '../tool/define-tool.ts';
import { forgetKept } from '../workspace/quarantine/quarantine.ts';
import type { DirectoryRules } from '../workspace/trees/ignore-rules.ts';
import { effectsOf } from './effects-of.ts';

type TreeChanges = { effects: Effect[]; heldBack: HeldBack[]; notes: string[]; notRecorded: number };

/** Call `effects` once, when the command and all its descendants have ended. */
type TreeWatch = {
  onSpan: NoteSpan;
  /** Where a traced command's writes are to be recorded. */
  report: string | undefined;
  effects(evidence: Omit<Evidence, 'trace'>): Promise<TreeChanges>;
};

// Reading names alone is about fifty times as fast as inspecting files.
const holdingBudget = { entries: 2_000_000, ms: 10_000 };

/** `writes` are the paths that the words of the command name. */
export async function watchTree(
  context: RunContext,
  {
    writes = [],
    budget = defaultBudget,
  }: { writes?: readonly string[]; budget?: WatchBudget | undefined } = {},
): Promise<TreeWatch> {
  const keep = openBeforeSlot(context);
  const readTree = treeLook(context, budget.walk);
  try {
    const before = await remember(context, keep, readTree, { budget: budget.copy, writes });
    await keep.entered();
    const saved = await saveBefore(context, before, writes);
    // The record stays until the outcome is in the log, because a process that dies before has reported nothing.
    context.onRecorded(() => {
      saved[Symbol.dispose]();
      removePackedCopies(context);
    });
    return {
      onSpan: saved.note,
      report: saved.report,
      async effects(evidence) {
        using _ended = keep;
        // Each step blocks, so other calls get a turn between the steps.
        await otherWork();
        // Which files git tracks by now does not matter: the walk visits every file known before.
        const { after, problem } = await lookAgain(
          context,
          () => readTree(before.tracked, before.tree),
          before,
        );
        const trace = readSavedTrace(context);
        const watched = { before, after, evidence: { ...evidence, trace }, maxEffects: budget.effects };
        return await changesBetween(context, keep, watched, problem);
      },
    };
  } catch (error) {
    keep[Symbol.dispose]();
    await runInTurns(forgetKept(context.home, context.slot));
    throw error;
  }
}

type Look = (tracked: TrackedFiles, before?: Tree) => Promise<Tree>;

/** Walks the tree before and after the command, with the same ignore rules. */
function treeLook({ workspace: { root }, isAsked }: RunContext, budget: WatchBudget['walk']): Look {
  let above: readonly DirectoryRules[] | undefined;
  return (tracked, before) => {
    // An unasked command must not decide what the second walk ignores.
    if (above === undefined || isAsked) above = ignoreRulesAbove(root.real, tracked);
    return walkTree({
      root,
      rules: above,
      ...tracked,
      isWanted: isAsked ? undefined : isProtectedPath,
      ...(before === undefined ? {} : { before }),
      // The second walk must find every old entry again, and new entries have their own share.
      budget: before === undefined ? budget : doubledBudget(budget),
    });
  };
}

type LookAgain = { after: Tree; problem?: string };

/** Where the tree can't be walked, nothing is known of its changes, and protected names are still looked for everywhere. */
async function lookAgain(
  { workspace: { root }, isAsked }: RunContext,
  walk: () => Promise<Tree>,
  { tree }: TreeBefore,
): Promise<LookAgain> {
  const wasOpened = !isAsked && openAgain(root, '.') !== undefined;
  try {
    const after = await walk();
    return { after: wasOpened ? { ...after, reopened: ['.', ...(after.reopened ?? [])] } : after };
  } catch (error) {
    const after: Tree = { ...tree, leftOut: new Map([...tree.leftOut, ['', 'unreadable']]) };
    return { after, problem: error instanceof Error ? error.message : String(error) };
  }
}

type WatchedTree = { before: TreeBefore; after: Tree; evidence: Evidence; maxEffects: number | undefined };

async function changesBetween(
  context: RunContext,
  keep: BeforeSlot,
  watched: WatchedTree,
  problem: string | undefined,
): Promise<TreeChanges> {
  const { before, after } = watched;
  await otherWork();
  const { held, notes }: HoldBackResult = context.isAsked
    ? { held: [], notes: [] }
    : await holdBack(context, keep, watched, holdingBudget);
  await otherWork();
  // The result names what was held back even when the effects cannot be recorded.
  const recorded =
    problem === undefined
      ? await effectsOf(context, keep, watched, new Set(held.map(({ path }) => path))).catch(unrecorded)
      : unrecorded(problem);
  await keep.entered();
  const git = gitNotes(before.git, gitState(before.tracked.repository), context.workspace.root.real);
  return {
    effects: recorded.effects,
    notRecorded: recorded.notRecorded,
    heldBack: held,
    notes: [
      ...heldBackNotes(held, context.callId),
      ...notes,
      ...reopenedNotes(after.reopened),
      ...recorded.notes,
      ...git,
    ],
  };
}

function reopenedNotes(folders: readonly string[] = []): string[] {
  if (folders.length === 0) return [];
  return [
    `It closed folders so that they could not be looked into; their owner has access again: ${firstNames(folders)}.`,
  ];
}

function unrecorded(error: unknown): Omit<TreeChanges, 'heldBack'> {
  const problem = error instanceof Error ? error.message : String(error);
  return {
    effects: [],
    notes: [`What it changed could not be recorded for undo: ${problem}`],
    notRecorded: 0,
  };
}

const nothingDecides: TreeBefore['deciding'] = { files: new Map(), named: { bySettings: [], byLinks: [] } };

async function remember(
  context: RunContext,
  keep: BeforeSlot,
  readTree: Look,
  { budget, writes }: { budget: CopyBudget; writes: readonly string[] },
): Promise<TreeBefore> {
  const { workspace, signal } = context;
  const startedAt = Date.now();
  const position = await context.log.position();
  const tracked = readTrackedFiles(workspace);
  const git = gitState(tracked.repository);
  const tree = await readTree(tracked);
  const deciding = context.isAsked ? nothingDecides : findDeciding(workspace.root, tree);
  signal.throwIfAborted();
  const objects = await sureObjects(context, tracked, tree.entries);
  const files = [...tree.entries].filter(([path, { type }]) => type === 'file' && !objects.has(path));
  const first = [...(context.isAsked ? [] : [isProtectedPath]), isNamedIn(writes)];
  const copies = await keepBefore({
    ...{ root: workspace.root, files, budget, first, slot: keep.slot, item: keep.item },
    isNeeded: !context.isAsked,
  });
  const names = await namesLeftOut(workspace.root, tree);
  return { tree, namesLeftOut: names, deciding, git, tracked, objects, kept: copies, startedAt, position };
}

export function doubledBudget({ entries, ms }: WatchBudget['walk']): WatchBudget['walk'] {
  return { entries: 2 * entries, ms: 2 * ms };
}
