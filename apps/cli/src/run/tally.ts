// Counts the calls, changed files and usage of a turn.
import type { AgentSignal, Effect, FileState } from '@codelab/protocol';
import * as z from 'zod/mini';

/** The counts of a turn. */
export type TurnTally = {
  calls: { id: string; tool: string; status: string; code?: string }[];
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  cost: number | undefined;
  /** Calls that did not run because a person rejected them or nobody could be asked. */
  refused: number;
  effects: Effect[];
};

export function createTurnTally(): TurnTally & { count(signal: AgentSignal): void } {
  return {
    calls: [],
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    cost: undefined,
    refused: 0,
    effects: [],
    count(signal) {
      if (signal.type === 'reply') {
        const { inputTokens, outputTokens, cachedTokens = 0, cost } = signal.reply.usage;
        this.inputTokens += inputTokens;
        this.outputTokens += outputTokens;
        this.cachedTokens += cachedTokens;
        if (cost !== undefined) this.cost = (this.cost ?? 0) + cost;
      }
      if (signal.type !== 'outcome') return;
      const { call, outcome } = signal;
      const { status } = outcome;
      this.effects.push(...outcome.effects);
      this.calls.push({
        id: call.id,
        tool: call.tool,
        status,
        ...(status === 'completed' ? {} : { code: outcome.error.code }),
      });
      if (status === 'rejected' || status === 'expired') this.refused++;
    },
  };
}

/**
 * The files that a turn changed, from the effects of its calls: a file that was created and removed again, or restored, is no change.
 * A folder that was deleted or moved whole is one entry, with a slash at its end.
 */
export const ResultFile = () =>
  z.strictObject({ path: z.string(), change: z.enum(['created', 'modified', 'deleted']) });
export type ResultFile = z.infer<ReturnType<typeof ResultFile>>;

export function changedFiles(effects: readonly Effect[]): ResultFile[] {
  const files = new Map<string, { before: FileState | null; after: FileState | null }>();
  const note = (path: string, before: FileState | null, after: FileState | null): void => {
    files.set(path, { before: files.has(path) ? (files.get(path)?.before ?? null) : before, after });
  };
  for (const { op, path, from, before, after } of effects) {
    if (op === 'mkdir') continue;
    // A move counts as a deleted and a created path.
    if (op === 'move' && from !== undefined) note(from, after, null);
    note(path, before, after);
  }
  return [...files]
    .flatMap(([name, { before, after }]): ResultFile[] => {
      const path = isFolder(before ?? after) ? `${name}/` : name;
      if (before === null) return after === null ? [] : [{ path, change: 'created' }];
      if (after === null) return [{ path, change: 'deleted' }];
      return isSame(before, after) ? [] : [{ path, change: 'modified' }];
    })
    .toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function isFolder(state: FileState | null): boolean {
  return state?.type === 'directory';
}

function isSame(before: FileState, after: FileState): boolean {
  return (
    before.digest !== undefined &&
    before.digest === after.digest &&
    before.type === after.type &&
    before.mode === after.mode
  );
}
