// Changes that other calls made in the workspace since a position in the log, and those that running calls may have made: none is certain
// to be the command's.
import type { Effect, FileState, SessionLog } from '@codelab/protocol';
import type { RunContext } from '../tool/define-tool.ts';
import { changedCalls } from './find-changes.ts';
import { type RunningCall, runningCalls } from './running-calls.ts';

/** The state in which the latest of these calls left each path. */
export async function changesOfOthers(
  log: SessionLog,
  workspace: string,
  since: number,
): Promise<Map<string, FileState | null>> {
  const changed = new Map<string, FileState | null>();
  for await (const { effect } of effectsSince(log, workspace, since)) {
    const { path, from, after } = effect;
    // Newest first: a path that is already recorded has a later state.
    if (!changed.has(path)) changed.set(path, after);
    if (from !== undefined && !changed.has(from)) changed.set(from, null);
  }
  return changed;
}

async function* effectsSince(
  log: SessionLog,
  workspace: string,
  since: number,
): AsyncGenerator<{ session: string; effect: Effect }> {
  for await (const { at, session, outcome } of changedCalls(log, workspace)) {
    if (at <= since) return;
    for (const effect of outcome.effects.toReversed()) yield { session, effect };
  }
}

/** Calls that ran at the same time as a command, and calls that still run. */
export type OtherCalls = {
  /** Whether another call owns the change of a path: it is recorded, or announced by a running call. */
  owns(path: string): boolean;
  /** Paths that changed while a command of another session ran, for which the author is unknown as well. */
  doubtful: ReadonlySet<string>;
  /** Calls of other sessions that still run. */
  running: readonly RunningCall[];
};

type Asking = Pick<RunContext, 'log' | 'workspace' | 'session' | 'callId'>;

/** `isOver`: the log still has the call of a killed process, but it ended before the command began. */
export async function changesMeanwhile(
  { log, workspace, session, callId }: Asking,
  position: number,
  isOver: (call: RunningCall) => boolean,
): Promise<OtherCalls> {
  const unfinished = await runningCalls(log, workspace.root.real);
  const running = unfinished.filter(
    (call) => (call.session !== session || call.callId !== callId) && !isOver(call),
  );
  const recorded = new Set<string>();
  const doubtful = new Set<string>();
  for await (const { session: by, effect } of effectsSince(log, workspace.root.real, position)) {
    const isDoubtful = effect.uncertain === true && by !== session;
    for (const path of [effect.path, effect.from])
      if (path !== undefined) (isDoubtful ? doubtful : recorded).add(path);
  }
  const intents = running.flatMap((call) => call.intents);
  return {
    owns: (path) => recorded.has(path) || intents.some((intent) => isAnnounced(intent, path)),
    doubtful,
    running: running.filter((call) => call.session !== session),
  };
}

// A deletion or move of a folder changes every path below it.
function isAnnounced({ op, path, from }: Effect, changed: string): boolean {
  if (path === changed || from === changed) return true;
  if (op === 'move') return changed.startsWith(`${path}/`) || changed.startsWith(`${from ?? path}/`);
  return op === 'delete' && changed.startsWith(`${path}/`);
}
