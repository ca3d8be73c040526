// What a model is told when a person took changes back, or brought them again: what it knows of those files is no longer true.
import type { Effect } from '@codelab/protocol';

export function takeBackNote(verb: 'undo' | 'redo', effects: readonly Effect[]): string {
  const paths = [...new Set(effects.map(({ path }) => path))].join(', ');
  const what = verb === 'undo' ? 'took back' : 'brought back';
  return `I ${what} the changes to: ${paths}. Read these files again before you rely on them.`;
}
