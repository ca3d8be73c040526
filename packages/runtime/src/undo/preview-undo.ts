// The effect of an undo or redo on each file, and its obstacles. Older changes are checked against the state after the newer ones are
// undone.
import type { Diff, Effect, FileState } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import { chooseTarget, effectState, isTargetKnown, type UndoTarget } from './choose-target.ts';
import { diffUndo } from './diff-undo.ts';
import { findChanges } from './find-changes.ts';
import { withKeptItems } from './index-changes.ts';
import { linkedEffects, obstacleThen, refusedTogether, reverseIn } from './linked-effects.ts';
import { notRecorded, onlyCopyOf } from './order-effects.ts';

type PreviewedFile = {
  path: string;
  action: 'restore' | 'remove' | 'move';
  /** The path it goes back to, when it was moved. */
  to?: string;
  state: 'ready' | 'refused';
  why?: string;
};

type Preview = { files: PreviewedFile[]; diff: Diff | undefined };

type PreviewRequest = { verb: 'undo' | 'redo'; selection: Omit<UndoTarget, 'readState'>; isForced: boolean };

export async function previewUndo(
  context: PlanContext,
  { verb, selection, isForced }: PreviewRequest,
): Promise<Preview> {
  const { log, workspace, session } = context;
  const target: UndoTarget = {
    ...selection,
    isForced,
    readState: (...args) => effectState(...args, context),
  };
  const changes = await findChanges(log, workspace.root.real, {
    by: session,
    session,
    call_id: selection.call_id,
    isEnough: (changes) => isTargetKnown(changes, target, verb),
  });
  const targets = withKeptItems(chooseTarget(changes, target, verb), changes, context.home);
  const newestFirst = targets
    .flatMap(({ groups }) => groups.flat().toReversed())
    .filter(({ op }) => op !== 'mkdir');
  const olderOf = new Map(targets.flatMap(linkedEffects));
  const files = previewEach(newestFirst, olderOf, context, isForced);
  const refusedPaths = new Set(files.filter(({ state }) => state === 'refused').map(({ path }) => path));
  const undone = newestFirst.filter(({ path }) => !refusedPaths.has(path));
  const beyond = notRecorded(targets).map(({ path, reason: why }): PreviewedFile => {
    return { path, action: 'restore', state: 'refused', why };
  });
  return { files: [...files, ...beyond], diff: diffUndo(undone, context) };
}

function previewEach(
  newestFirst: readonly Effect[],
  olderOf: ReadonlyMap<Effect, readonly Effect[]>,
  context: PlanContext,
  isForced: boolean,
): PreviewedFile[] {
  const files = new Map<string, PreviewedFile>();
  const then = new Map<string, FileState | null>();
  for (const effect of newestFirst) {
    const { path } = effect;
    const refused =
      obstacleThen(effect, then, context, isForced) ??
      refusedTogether(effect, olderOf.get(effect) ?? [], { context, isForced, then });
    const problem = refused?.refused;
    if (problem === undefined) reverseIn(then, effect);
    // A file that is refused at any step does not get its old content back.
    if (files.get(path)?.state === 'refused') continue;
    const state =
      problem === undefined ? { state: 'ready' as const } : { state: 'refused' as const, why: problem };
    files.set(path, { ...actionOf(effect), ...state });
  }
  return keepOnlyCopies([...files.values()], newestFirst);
}

function keepOnlyCopies(files: readonly PreviewedFile[], effects: readonly Effect[]): PreviewedFile[] {
  const refused = new Set(files.filter(({ state }) => state === 'refused').map(({ path }) => path));
  const leftDeletions = effects
    .filter(({ op, path }) => op === 'delete' && refused.has(path))
    .map((effect) => ({ effect, code: 'STALE' as const }));
  const byPath = Map.groupBy(effects, ({ path }) => path);
  return files.map((file) => {
    if (refused.has(file.path) || leftDeletions.length === 0) return file;
    const [only] = (byPath.get(file.path) ?? []).flatMap((effect) => onlyCopyOf(effect, leftDeletions) ?? []);
    return only !== undefined && 'refused' in only ? { ...file, state: 'refused', why: only.refused } : file;
  });
}

function actionOf({ op, path, from, before }: Effect): Pick<PreviewedFile, 'path' | 'action' | 'to'> {
  if (op === 'move' && from !== undefined) return { path, action: 'move', to: from };
  return { path, action: before === null ? 'remove' : 'restore' };
}
