// What an undo or redo reversed: the calls, path by path, and which of its effects were made together. While it runs, each of its changes
// carries that as a mark, so that recovery can tell it of one that was killed.
import type { Effect, Outcome } from '@codelab/protocol';
import type { Change } from '../workspace/commit/change.ts';

export type TakenBack = { session: string; call_id: string; paths: string[] };

type Call = { session: string; callId: string };

export function takenBackBy(outcome: Outcome): TakenBack[] {
  const { taken_back: takenBack } = reportOf(outcome) as { taken_back?: TakenBack[] };
  return (outcome.tool === 'undo' || outcome.tool === 'redo') && Array.isArray(takenBack) ? takenBack : [];
}

/** Number of effects of each set of changes, in order; undefined where the outcome does not tell. */
export function stepsOf(outcome: Outcome): number[] | undefined {
  const { steps } = reportOf(outcome);
  if (!Array.isArray(steps)) return undefined;
  const counts = steps.map(Number);
  return counts.reduce((sum, count) => sum + count, 0) === outcome.effects.length ? counts : undefined;
}

function reportOf(outcome: Outcome): Record<string, unknown> {
  return (outcome.status === 'completed' ? outcome.data : outcome.error.details) ?? {};
}

/** Whether nothing of the call's changes of the path is left once the effect is reversed. `others` are its older effects and those left. */
export function isLastOf({ path }: Pick<Effect, 'path'>, others: readonly Effect[]): boolean {
  return !others.some((other) => other.path === path);
}

/** `isLast`: with these changes, the path is as it was before the call. */
export function markReversal(
  changes: readonly Change[],
  { path }: Effect,
  { session, callId }: Call,
  isLast: boolean,
): Change[] {
  return changes.map((change, at) => {
    const isWhole = isLast && at === changes.length - 1;
    const reverses = { session, callId, ...(isWhole && { path }) };
    return { ...change, intent: { ...change.intent, reverses } };
  });
}

export function withoutMark({ reverses: _, ...effect }: Effect): Effect {
  return effect;
}

/** From the marks, newest call first. */
export function takenBackIn(effects: readonly Effect[]): TakenBack[] {
  const calls = new Map<string, TakenBack>();
  for (const { reverses } of effects) {
    if (reverses === undefined) continue;
    const { session, callId, path } = reverses;
    const key = JSON.stringify([session, callId]);
    const call = calls.get(key) ?? { session, call_id: callId, paths: [] };
    calls.set(key, call);
    if (path !== undefined) call.paths.push(path);
  }
  return [...calls.values()];
}
