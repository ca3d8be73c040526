// What an undo or redo tells before it runs, and why there is nothing that it can do.
import { type PlanDraft, phrase, ToolError } from '@codelab/protocol';
import type { PlanContext } from '../tool/define-tool.ts';
import type { EarlierTurn } from './choose-target.ts';
import type { StandingCall } from './find-changes.ts';
import { notRecorded, type ReversedSet, type UndoRefusal } from './order-effects.ts';
import { diffUndo } from './preview-undo.ts';

export function describeUndo(
  verb: 'undo' | 'redo',
  targets: readonly StandingCall[],
  first: ReversedSet,
  context: PlanContext,
): PlanDraft {
  const effects = targets
    .flatMap(({ groups }) => groups.flat().toReversed())
    .filter(({ op }) => op !== 'mkdir');
  const paths = [
    ...new Set(effects.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from]))),
  ];
  const refusedPaths = new Set(first.refused.map(({ path }) => path));
  const diff = diffUndo(
    effects.filter(({ path }) => !refusedPaths.has(path)),
    context,
  );
  const notes = paths.map((path) => phrase(verb === 'undo' ? 'note.undo' : 'note.redo', { path }));
  const counts = { calls: targets.length, files: paths.length };
  return {
    summary: phrase(verb === 'undo' ? 'plan.undo' : 'plan.redo', counts),
    risk: 'high',
    riskReason: phrase('risk.changesBack'),
    touches: paths.map((path) => ({ asked: path, path, access: 'write' })),
    notes: [
      ...notes,
      ...[...first.refused, ...notRecorded(targets)].map(({ path, reason }) =>
        phrase('note.stays', { path, why: reason }),
      ),
    ],
    ...(diff && { diff }),
    basis: first.changes.map((change) => ({
      path: change.intent.path,
      print: 'expected' in change ? change.expected : 'directory',
    })),
  };
}

type Nothing = {
  refused: readonly UndoRefusal[];
  unchanged: readonly { paths: readonly string[] }[];
  before: EarlierTurn | undefined;
};

export function nothingPossible(verb: string, { refused, unchanged, before }: Nothing): ToolError {
  const same = unchanged
    .flatMap(({ paths }) => paths)
    .map((path) => `${path}: it already is as the ${verb} would leave it`);
  const reasons = [...refused.map(({ path, reason }) => `${path}: ${reason}`), ...same].join('; ');
  const hints = [
    ...(refused.some(({ code }) => code === 'STALE') ? [withoutForce(verb)] : []),
    ...(before === undefined ? [] : [`To undo the turn before, give turn: ${before.turn}.`]),
  ];
  const text = [`Nothing was changed (${reasons || 'no files'}).`, ...hints].join(' ');
  return new ToolError('STALE', text, { refused, ...(before !== undefined && { turn_before: before }) });
}

/** For messages that a model reads: it must not overwrite a person's change because the message proposed it. */
function withoutForce(verb: string): string {
  return `Read these files and edit them instead, or name other files with paths. To ${verb} over the later changes, ask the user first: force overwrites them.`;
}
