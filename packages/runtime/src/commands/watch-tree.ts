// Makes what a command does to the workspace undoable like an edit: look at the tree, keep what nothing else has → (the command runs)
// → look again, bring out what was there before, say what can't be taken back.
import { setImmediate as otherWork } from 'node:timers/promises';
import type { Effect } from '@codelab/protocol';
import { findDeciding, type Holding, holdBack } from '../held-back/hold-back.ts';
import { isProtectedPath } from '../policy/protected-names.ts';
import { type HeldBack, heldBackNotes } from '../process/held-back.ts';
import type { Before } from '../snapshot/before.ts';
import { convertedFiles } from '../snapshot/converted-files.ts';
import { gitState, readTrackedFiles, type TrackedFiles } from '../snapshot/git-state.ts';
import { rulesAbove } from '../snapshot/ignore-chain.ts';
import { type CopyBudget, type Keep, keepBefore, openKeep } from '../snapshot/kept-before.ts';
import { type Tree, walkTree } from '../snapshot/walk-tree.ts';
import type { Evidence } from '../snapshot/who-wrote.ts';
import type { RunContext } from '../tool/define-tool.ts';
import type { DirectoryRules } from '../workspace/ignore-rules.ts';
import { forgetKept } from '../workspace/quarantine.ts';
import { effectsOf } from './effects-of.ts';

type Seen = { effects: Effect[]; heldBack: HeldBack[]; notes: string[] };

/** `effects` is to be asked once, when the command and everything it started has ended. */
type TreeWatch = { effects(evidence: Evidence): Promise<Seen> };

export type WatchBudget = { copy: CopyBudget; walk: { entries: number; ms: number } };

const defaultBudget: WatchBudget = {
  copy: { ms: 300, bytes: 64 * 1024 * 1024, files: 20_000 },
  walk: { entries: 100_000, ms: 2000 },
};
// Names alone are read some fifty times as fast as files are looked at.
const holdingBudget = { entries: 2_000_000, ms: 10_000 };

export async function watchTree(
  context: RunContext,
  budget: WatchBudget = defaultBudget,
): Promise<TreeWatch> {
  const keep = openKeep(context);
  const { root } = context.workspace;
  let above: readonly DirectoryRules[] | undefined;
  const look = (tracked: TrackedFiles, before?: Tree): Promise<Tree> => {
    // A command that nobody was asked about does not decide what is ignored when it is looked at.
    if (above === undefined || context.isAsked) above = rulesOf(root.real, tracked);
    return walkTree({
      root,
      rules: above,
      ...tracked,
      isWanted: context.isAsked ? undefined : isProtectedPath,
      ...(before === undefined ? {} : { before }),
      // What was there before has to be found again, and what is new has its own share.
      most: before === undefined ? budget.walk : doubled(budget.walk),
    });
  };
  try {
    const before = await remember(context, keep, look, budget.copy);
    await keep.entered();
    return {
      async effects(evidence) {
        using _ended = keep;
        // Each of these takes its time in one piece: others have a turn between them.
        await otherWork();
        // What is tracked by now decides nothing: what was known before is looked at anyway.
        const after = await look(before.tracked, before.tree);
        const watched = { before, after, evidence };
        await otherWork();
        const { held, notes }: Holding = context.isAsked
          ? { held: [], notes: [] }
          : await holdBack(context, keep, watched, holdingBudget);
        await otherWork();
        const told = await effectsOf(context, keep, watched, new Set(held.map(({ path }) => path))).catch(
          // What was held back has to be told in any case.
          (error: unknown) => unrecorded(error, held),
        );
        await keep.entered();
        return {
          effects: told.effects,
          heldBack: held,
          notes: [...heldBackNotes(held, context.callId), ...notes, ...told.notes],
        };
      },
    };
  } catch (error) {
    keep[Symbol.dispose]();
    forgetKept(context.home, context.slot);
    throw error;
  }
}

function unrecorded(error: unknown, held: readonly HeldBack[]): Omit<Seen, 'heldBack'> {
  if (held.length === 0) throw error;
  const why = error instanceof Error ? error.message : String(error);
  return { effects: [], notes: [`What it changed could not be recorded for undo: ${why}`] };
}

const nothingDecides: Before['deciding'] = { files: new Map(), named: { bySettings: [], byLinks: [] } };

async function remember(
  context: RunContext,
  keep: Keep,
  look: (tracked: TrackedFiles) => Promise<Tree>,
  budget: CopyBudget,
): Promise<Before> {
  const { workspace, signal } = context;
  const startedAt = Date.now();
  const position = await context.log.position();
  const tracked = readTrackedFiles(workspace);
  const git = gitState(tracked.repository);
  const tree = await look(tracked);
  const deciding = context.isAsked ? nothingDecides : findDeciding(workspace.root, tree);
  signal.throwIfAborted();
  const objects = await sureObjects(context, tracked, tree);
  const files = [...tree.entries].filter(([path, { type }]) => type === 'file' && !objects.has(path));
  const isFirst = context.isAsked ? undefined : isProtectedPath;
  const kept = await keepBefore({ workspace, files, budget, isFirst, slot: keep.slot, item: keep.item });
  return { tree, deciding, git, tracked, objects, kept, startedAt, position };
}

async function sureObjects(
  { workspace, signal }: RunContext,
  { repository, objectOf }: TrackedFiles,
  { entries }: Tree,
): Promise<Map<string, string>> {
  const objects = new Map<string, string>();
  if (repository === undefined) return objects;
  for (const [path, entry] of entries) {
    const object = objectOf(path, entry);
    if (object !== undefined) objects.set(path, object);
  }
  const candidates = [...objects.keys()];
  const converted = await convertedFiles({
    workspace,
    repository,
    paths: entries.keys(),
    candidates,
    signal,
  });
  if (converted === undefined) return new Map();
  for (const path of converted) objects.delete(path);
  return objects;
}

function doubled({ entries, ms }: WatchBudget['walk']): WatchBudget['walk'] {
  return { entries: 2 * entries, ms: 2 * ms };
}

function rulesOf(root: string, { repository }: TrackedFiles): DirectoryRules[] {
  return repository === undefined ? [] : rulesAbove(root, repository.top, repository.commonDirectory);
}
