// Why there is nothing that an undo or redo can do.
import { ToolError } from '@codelab/protocol';
import type { EarlierTurn } from './choose-target.ts';
import type { UndoRefusal } from './order-effects.ts';

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
