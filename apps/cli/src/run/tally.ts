// Counts the calls, changed files and usage of a turn.
import { type AgentSignal, type Effect, type FileState, lossNotes } from '@codelab/protocol';
import * as z from 'zod/mini';

/** The counts of a turn. */
export type TurnTally = {
  calls: { id: string; tool: string; status: string; code?: string; warnings?: string[] }[];
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
        ...(lossNotes(outcome).length > 0 && { warnings: lossNotes(outcome) }),
      });
      if (status === 'rejected' || status === 'expired') this.refused++;
    },
  };
}

/**
 * The files that a turn changed, from the effects of its calls: a file that was created and removed again, or restored, is no change.
 * A folder that was deleted or moved whole is one entry, with a slash at its end. `uncertain`: a command ran, and it is not known who did it.
 */
export const ResultFile = () =>
  z.strictObject({
    path: z.string(),
    change: z.enum(['created', 'modified', 'deleted']),
    uncertain: z.optional(z.literal(true)),
  });
export type ResultFile = z.infer<ReturnType<typeof ResultFile>>;

/** The state of a path before the turn, and now. `isMade`: a folder that the turn itself created. */
type NetChange = { before: FileState | null; after: FileState | null; isMade: boolean; isUncertain: boolean };
type NetChanges = Map<string, NetChange>;

export function changedFiles(effects: readonly Effect[]): ResultFile[] {
  const files: NetChanges = new Map();
  // By folder: what the turn had changed in it when it was deleted, in case it comes back.
  const deleted = new Map<string, NetChanges>();
  for (const effect of effects) {
    const { op, path, from, before, after, uncertain } = effect;
    const isMoved = op === 'move' && from !== undefined;
    const isMade = op === 'mkdir' || (isMoved && files.get(from)?.isMade === true);
    const note = (at: string, stateBefore: FileState | null, stateAfter: FileState | null): void => {
      const netChange = files.get(at) ?? { before: stateBefore, isMade: false, isUncertain: false };
      const isUncertain = netChange.isUncertain || uncertain === true;
      files.set(at, { ...netChange, after: stateAfter, isMade: at === path && isMade, isUncertain });
    };
    // A move counts as a deleted and a created path.
    if (isMoved) note(from, after, null);
    note(path, before, after);
    if (isMoved && isFolder(after)) moveWithin(files, from, path);
    if (op === 'delete' && isFolder(before)) deleted.set(path, takeWithin(files, path));
    if (op === 'create' && isFolder(after))
      for (const [at, change] of deleted.get(path) ?? []) files.set(at, change);
  }
  return [...files].flatMap(resultOf).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

function resultOf([name, { before, after, isMade, isUncertain }]: [string, NetChange]): ResultFile[] {
  const path = isFolder(before ?? after) ? `${name}/` : name;
  const mark = isUncertain ? { uncertain: true as const } : {};
  // A folder on the way to files goes without saying.
  if (before === null) return after === null || isMade ? [] : [{ path, change: 'created', ...mark }];
  if (after === null) return [{ path, change: 'deleted', ...mark }];
  return isSame(before, after) ? [] : [{ path, change: 'modified', ...mark }];
}

/** The content of a moved folder has a new path; deleted content stays with the old path. */
function moveWithin(files: NetChanges, from: string, to: string): void {
  for (const [path, change] of takeWithin(files, from))
    if (change.after !== null) files.set(`${to}${path.slice(from.length)}`, change);
}

function takeWithin(files: NetChanges, folder: string): NetChanges {
  const filesInFolder = new Map([...files].filter(([path]) => path.startsWith(`${folder}/`)));
  for (const path of filesInFolder.keys()) files.delete(path);
  return filesInFolder;
}

function isFolder(state: FileState | null): boolean {
  return state?.type === 'directory';
}

function isSame(before: FileState, after: FileState): boolean {
  if (before.type !== after.type || before.mode !== after.mode) return false;
  return isFolder(before) || (before.digest !== undefined && before.digest === after.digest);
}
