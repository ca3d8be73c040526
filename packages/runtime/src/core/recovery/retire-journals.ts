// Journals of a program that ended before its files were synced. Their calls have ended, so the log decides. If the machine has not
// rebooted since, every finished write is there and the files are only synced. After a power failure, lost content is written again, under
// the lock and recorded, but only to paths that nothing has touched since.
import { closeSync, fsyncSync, lstatSync, openSync } from 'node:fs';
import type { Effect, RecoveredFile } from '@codelab/protocol';
import { isAlive, isThisBoot } from '../../platform/system.ts';
import { changedCalls } from '../../undo/find-changes.ts';
import type { Change } from '../../workspace/commit/change.ts';
import {
  anyLength,
  changePositionOf,
  recordedPath,
  restoreTorn,
} from '../../workspace/commit/change-position.ts';
import { redoChange } from '../../workspace/commit/recover-changes.ts';
import {
  isOfFolder,
  type Journal,
  journalNames,
  readJournal,
  removeJournal,
} from '../../workspace/commit/redo-journal.ts';
import { tidyTemps } from '../../workspace/commit/tidy-temps.ts';
import type { Host } from '../host.ts';

// The kernel writes dirty pages within half a minute; after that a sync costs almost nothing.
const settledMs = 60_000;

/** Calls `onFault` for a journal that could not be dealt with; it is tried again at the next start. */
export async function retireJournals(
  host: Host,
  onFault: (name: string, error: unknown) => void,
): Promise<void> {
  for (const name of journalNames(host.home)) {
    try {
      await retire(host, name);
    } catch (error) {
      onFault(name, error);
    }
  }
}

async function retire(host: Host, name: string): Promise<void> {
  const { home, workspace } = host;
  const journal = readJournal(home, name);
  if (journal === undefined || journal.root !== workspace.root.real || isAlive(journal.owner, home)) return;
  if (!isOfFolder(journal, workspace)) {
    removeJournal(home, name);
    return;
  }
  const finished = await effectsOfCall(host, journal);
  if (finished === 'running') return;
  const { session = '', callId = '', slot } = journal;
  tidyTemps({ workspace, home, session, callId, slot }, journal.changes);
  if (isThisBoot(journal.owner) || finished === undefined) {
    if (Math.abs(Date.now() - journal.writtenMs) < settledMs) return;
    for (const { intent } of journal.changes) syncQuietly(host, intent.path);
  } else await restoreLost(host, journal, finished);
  removeJournal(home, name);
}

/** The recorded effects of the call; undefined when the log does not have the call, or it had no effect. */
async function effectsOfCall(
  host: Host,
  { session, callId }: Journal,
): Promise<Effect[] | 'running' | undefined> {
  if (session === undefined || callId === undefined) return undefined;
  const sessions = await host.log.sessions();
  if (!sessions.some(({ id }) => id === session)) return undefined;
  const live = await host.session(session);
  await live.catchUp();
  if (live.openCalls.get(callId)?.state === 'running') return 'running';
  const outcome = await live.outcome(callId);
  return outcome === undefined || outcome.effects.length === 0 ? undefined : outcome.effects;
}

async function restoreLost(host: Host, journal: Journal, effects: readonly Effect[]): Promise<void> {
  const { session = '', callId = '', slot } = journal;
  const later = await pathsChangedSince(host, session, callId);
  const recorded = new Set(effects.map(({ path }) => path));
  const dead = { workspace: host.workspace, home: host.home, slot, session, callId };
  const files = await host.lock.hold(() => {
    // All journals are inspected before the first write: writing changes the folder times by which they are judged.
    const lost = journal.changes.filter(
      (change) =>
        later !== undefined &&
        !later.has(change.intent.path) &&
        recorded.has(change.intent.path) &&
        isLost(dead, journal, change),
    );
    return lost.map((change) => restore(dead, change));
  });
  if (files.length === 0) return;
  const live = await host.session(session);
  await live.commit(() => [{ type: 'call.recovered', callId, files }], { durable: true });
}

function restore(dead: Parameters<typeof redoChange>[0], change: Change): RecoveredFile {
  const { path } = change.intent;
  try {
    if (change.op === 'put' && changePositionOf(dead, change) === 'torn') restoreTorn(dead, change);
    redoChange(dead, change);
    tidyTemps(dead, [change]);
    return { path, action: 'restored' };
  } catch {
    return { path, action: 'failed' };
  }
}

/** Whether the disk shows exactly the state before the change, with no trace of a later writer. */
function isLost(dead: Parameters<typeof changePositionOf>[0], journal: Journal, change: Change): boolean {
  if (change.op === 'mkdir' || change.op === 'rmdir') return false;
  const position = changePositionOf(dead, change);
  if (position === 'pending' || position === 'torn') return true;
  if (position === 'done' || change.op !== 'put' || change.expected !== 'absent') return false;
  try {
    // A missing new file is lost, unless its folder changed after the journal was written.
    using place = dead.workspace.locate(change.intent.path, recordedPath);
    return place.stat === undefined && lstatSync(place.parent.at('.')).mtimeMs <= journal.writtenMs;
  } catch {
    // The folder is a link or a file by now.
    return false;
  }
}

/** Paths that later recorded calls have changed; undefined when that is unknown. */
async function pathsChangedSince(
  host: Host,
  session: string,
  callId: string,
): Promise<Set<string> | undefined> {
  const paths = new Set<string>();
  for await (const changed of changedCalls(host.log, host.workspace.root.real)) {
    if (changed.session === session && changed.outcome.callId === callId) return paths;
    for (const { path, from } of changed.outcome.effects)
      for (const each of [path, from]) if (each) paths.add(each);
  }
  return undefined;
}

function syncQuietly({ workspace }: Host, path: string): void {
  try {
    using place = workspace.locate(path, anyLength);
    if (!place.stat?.isFile()) return;
    const fd = openSync(place.parent.at(place.name), 'r');
    fsyncSync(fd);
    closeSync(fd);
  } catch {
    // Missing, or not readable for us: then it needs no sync from us either.
  }
}
