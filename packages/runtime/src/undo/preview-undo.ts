// The effect of an undo or redo on each file, and its obstacles. Older changes are checked against the state after the newer ones are
// undone.
import { lstatSync, readFileSync } from 'node:fs';
import { type Diff, type Effect, type FileState, type PlanDraft, phrase, ToolError } from '@codelab/protocol';
import { unifiedDiff } from '../patch/unified-diff.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import type { Located } from '../workspace/locate.ts';
import { type DirectoryEntry, openItem } from '../workspace/quarantine/quarantine.ts';
import { decodeText } from '../workspace/text-files.ts';
import { chooseTarget, effectState, isTargetKnown, type UndoTarget } from './choose-target.ts';
import { findChanges, type StandingCall } from './find-changes.ts';
import { readFolders, type UndoContext, withKeptItems } from './index-changes.ts';
import { type Neighbours, obstacleThen, refusedWithOlder, reverseIn } from './linked-effects.ts';
import { elsewhere, leaveTogether, leftOf } from './only-copy.ts';
import { notRecorded, type ReversedSet } from './order-effects.ts';
import type { Reversal } from './reverse-effect.ts';

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
  const files = await previewTargets(targets, context, isForced);
  const refusedPaths = new Set(files.filter(({ state }) => state === 'refused').map(({ path }) => path));
  const undone = newestFirst(targets).filter(({ path }) => !refusedPaths.has(path));
  const beyond = notRecorded(targets).map(({ path, reason: why }): PreviewedFile => {
    return { path, action: 'restore', state: 'refused', why };
  });
  return { files: [...files, ...beyond], diff: diffUndo(undone, context) };
}

function newestFirst(targets: readonly StandingCall[]): Effect[] {
  const effects = targets.flatMap(({ groups }) => groups.flat().toReversed());
  return effects.filter(({ op }) => op !== 'mkdir');
}

async function previewTargets(
  targets: readonly StandingCall[],
  context: PlanContext,
  isForced: boolean,
): Promise<PreviewedFile[]> {
  const effects = newestFirst(targets);
  const neighbours = new Map(targets.flatMap(neighboursIn));
  const folders = await readFolders(effects, context);
  return previewEach(effects, neighbours, { ...context, folders }, isForced);
}

function previewEach(
  effects: readonly Effect[],
  neighbours: ReadonlyMap<Effect, Neighbours>,
  context: UndoContext,
  isForced: boolean,
): PreviewedFile[] {
  const files = new Map<string, PreviewedFile>();
  const then = new Map<string, FileState | null>();
  for (const effect of effects) {
    const { path } = effect;
    const refused =
      obstacleThen(effect, then, context, isForced) ??
      refusedWithOlder(effect, neighbours.get(effect) ?? alone, { context, isForced, then });
    const problem = refused?.refused;
    if (problem === undefined) reverseIn(then, effect);
    // A file that is refused at any step does not get its old content back.
    if (files.get(path)?.state === 'refused') continue;
    const state =
      problem === undefined ? { state: 'ready' as const } : { state: 'refused' as const, why: problem };
    files.set(path, { ...actionOf(effect), ...state });
  }
  return withLeftTogether(files, effects, context, isForced);
}

function withLeftTogether(
  files: ReadonlyMap<string, PreviewedFile>,
  effects: readonly Effect[],
  context: PlanContext,
  isForced: boolean,
): PreviewedFile[] {
  const set = effects.map((effect) => {
    const { path } = effect;
    const { state, why: refused = '' } = files.get(path) ?? { state: 'ready' };
    const reversal: Reversal =
      state === 'refused'
        ? { path, refused, code: 'STALE' }
        : { path, changes: [{ op: 'rmdir', intent: effect }] };
    return { effect, reversal };
  });
  const isElsewhere = elsewhere(effects, context);
  const left = leftOf(leaveTogether(set, { newerLeft: [], leftDeletions: [], isForced, isElsewhere }));
  const reasons = new Map(left.toReversed().map(({ reversal }) => [reversal.path, reversal.refused]));
  return [...files.values()].map((file) => {
    const why = reasons.get(file.path);
    return why === undefined ? file : { ...file, state: 'refused', why };
  });
}

function actionOf({ op, path, from, before }: Effect): Pick<PreviewedFile, 'path' | 'action' | 'to'> {
  if (op === 'move' && from !== undefined) return { path, action: 'move', to: from };
  return { path, action: before === null ? 'remove' : 'restore' };
}

const alone: Neighbours = { group: [], older: [] };

/** For the effects of an undo or redo. */
function neighboursIn({ takesBack, groups }: StandingCall): [Effect, Neighbours][] {
  if (!takesBack) return [];
  return groups.flatMap((group, at) => {
    const older = groups.slice(0, at).flat();
    return group.map((effect): [Effect, Neighbours] => [effect, { group, older }]);
  });
}

type Described = { verb: 'undo' | 'redo'; targets: readonly StandingCall[]; isForced: boolean };

/** The plan of an undo: `first` is its newest set; what is refused of the later ones is known from the preview. */
export async function describeUndo(
  { verb, targets, isForced }: Described,
  first: Pick<ReversedSet, 'refused' | 'changes'>,
  context: PlanContext,
): Promise<PlanDraft> {
  const effects = newestFirst(targets);
  const paths = [
    ...new Set(effects.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
  ];
  const hasLaterSets = targets.flatMap(({ groups }) => groups).length > 1;
  const previewed = hasLaterSets ? await previewTargets(targets, context, isForced) : [];
  const refused = new Map(
    previewed.flatMap(({ path, why }): [string, string][] => (why === undefined ? [] : [[path, why]])),
  );
  for (const { path, reason } of [...first.refused, ...notRecorded(targets)]) refused.set(path, reason);
  const diff = diffUndo(
    effects.filter(({ path }) => !refused.has(path)),
    context,
  );
  const notes = paths.map((path) => phrase(verb === 'undo' ? 'note.undo' : 'note.redo', { path }));
  const counts = { calls: targets.length, files: paths.length };
  return {
    summary: phrase(verb === 'undo' ? 'plan.undo' : 'plan.redo', counts),
    risk: 'high',
    riskReason: phrase('risk.changesBack'),
    touches: paths.map((path) => ({ asked: path, path, access: 'write' })),
    notes: [...notes, ...[...refused].map(([path, why]) => phrase('note.stays', { path, why }))],
    ...(diff && { diff }),
    basis: first.changes.map((change) => ({
      path: change.intent.path,
      print: 'expected' in change ? change.expected : 'directory',
    })),
  };
}

// The diff that an undo would make, from the current files to the restored ones.

const maxFileBytes = 1024 * 1024;

/** `effects` are in undo order; a path with several ends up as before the last one. */
function diffUndo(effects: readonly Effect[], context: PlanContext): Diff | undefined {
  const { diffBytes } = context.limits;
  const last = new Map(effects.filter(isShown).map((effect) => [effect.path, effect]));
  const total: Diff = { text: '', additions: 0, deletions: 0, hunks: 0, truncated: false };
  for (const [path, effect] of last) {
    if (total.text.length > diffBytes) {
      total.truncated = true;
      break;
    }
    const now = textNow(path, context);
    const then = textBefore(effect, context.home);
    if (now === undefined || then === undefined) continue;
    const diff = unifiedDiff({ path, before: now, after: then, maxBytes: diffBytes - total.text.length });
    total.text += diff.text;
    total.additions += diff.additions;
    total.deletions += diff.deletions;
    total.hunks += diff.hunks;
    total.truncated ||= diff.truncated;
  }
  return total.text === '' ? undefined : total;
}

// Moves are listed by name; a folder has no text.
function isShown({ op, before, after }: Effect): boolean {
  const isText = (state: Effect['before']): boolean => state === null || state.type === 'file';
  return op !== 'move' && op !== 'mkdir' && isText(before) && isText(after);
}

/** Null when there is no file; undefined when the entry is not shown. */
function textNow(path: string, { workspace }: PlanContext): string | null | undefined {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    return place.stat === undefined ? null : readText(place);
  } catch (error) {
    // A folder on the path is now a file or a link, and will be a folder again.
    if (error instanceof ToolError) return null;
    throw error;
  }
}

function textBefore({ before, trashId }: Effect, home: string): string | null | undefined {
  if (before === null) return null;
  using item = trashId === undefined ? undefined : openItem(home, trashId);
  return item && readText(item);
}

function readText({ parent, name }: Located | DirectoryEntry): string | undefined {
  const stat = lstatSync(parent.at(name));
  if (!stat.isFile() || stat.size > maxFileBytes) return undefined;
  try {
    return decodeText(readFileSync(parent.at(name)), name).text;
  } catch {
    return undefined;
  }
}
