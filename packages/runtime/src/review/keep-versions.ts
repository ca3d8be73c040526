// Keeps the files as calls leave them. A review needs these versions to separate the agent's lines from the user's, and no
// other copy exists once the user has overwritten them. Each content is a private file in a folder of its session. The files are not synced:
// a lost version only makes a review less exact.
import { existsSync, opendirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { setImmediate as otherWork } from 'node:timers/promises';
import type { Effect, FileState } from '@codelab/protocol';
import { ensureFolder } from '../platform/database-lock.ts';
import { sha256 } from '../platform/digest.ts';
import { createPauses, runInTurns } from '../platform/steps.ts';
import { Directory } from '../workspace/directory.ts';
import { errno } from '../workspace/fault.ts';
import { openRegular, readWhole } from '../workspace/read-bytes.ts';
import { removeTreeInSteps } from '../workspace/trees/remove-tree.ts';
import type { Workspace } from '../workspace/workspace.ts';

const mostFileBytes = 1024 * 1024;
const mostCallBytes = 16 * 1024 * 1024;
const mostFiles = 500;

/** Bounds of all stored versions, over all sessions. */
const retention = { days: 14, bytes: 256 * 1024 * 1024 };
const pruneEveryMs = 60 * 60 * 1000;
let prunedAt = Number.NEGATIVE_INFINITY;

type Place = { home: string; session: string };

/** The folder of a session's stored versions. */
export function reviewFolder({ home, session }: Place): string {
  return join(home, 'review', sha256(session).slice(0, 32));
}

/** Deletes everything stored for a session's review. */
export async function removeReview(home: string, session: string): Promise<void> {
  const folder = reviewFolder({ home, session });
  if (!existsSync(folder)) return;
  using parent = Directory.openRoot(dirname(folder));
  await runInTurns(removeTreeInSteps(parent, basename(folder)));
}

/** Versions that are stored while the call waits; the rest follow later. */
const mostAtOnce = 8;

/** Stores the files as a call has just left them. A file that can't be stored is skipped, and a review that needs it says so. */
export function keepVersions(
  effects: readonly Effect[],
  place: Place & { workspace: Workspace; later(work: Promise<void>): void },
): void {
  const keepable = effects.filter(({ after }) => isKeepable(after)).slice(0, mostFiles);
  if (keepable.length === 0) return;
  const budget = { remaining: mostCallBytes };
  keepSome(keepable.slice(0, mostAtOnce), place, budget);
  if (keepable.length > mostAtOnce) place.later(keepRest(keepable.slice(mostAtOnce), place, budget));
  if (isPruneDue()) place.later(pruneVersions(place.home, retention));
}

async function keepRest(
  effects: readonly Effect[],
  place: Place & { workspace: Workspace },
  budget: { remaining: number },
): Promise<void> {
  for (let at = 0; at < effects.length; at += mostAtOnce) {
    await otherWork();
    keepSome(effects.slice(at, at + mostAtOnce), place, budget);
  }
}

function keepSome(
  effects: readonly Effect[],
  place: Place & { workspace: Workspace },
  budget: { remaining: number },
): void {
  const folder = join(reviewFolder(place), 'versions');
  try {
    ensureFolder(folder);
    for (const { path, after } of effects) {
      const bytes = after && readVersion(path, after, place.workspace);
      if (!bytes || bytes.length > budget.remaining) continue;
      budget.remaining -= bytes.length;
      writeNew(join(folder, versionName(after)), bytes);
    }
  } catch {
    // Never a reason for anything to fail.
  }
}

function readVersion(path: string, expected: FileState, workspace: Workspace): Buffer | undefined {
  try {
    const options = { followLast: false, access: 'read', pathChars: Number.MAX_SAFE_INTEGER } as const;
    using place = workspace.locate(path, options);
    using file = openRegular(place);
    // Another program may have written to the file since. A reader of the version compares its digest.
    return Number(file.stat.size) === expected.size ? readWhole(file, path) : undefined;
  } catch {
    return undefined;
  }
}

function isKeepable(state: FileState | null): boolean {
  return state?.type === 'file' && state.digest !== undefined && state.size <= mostFileBytes;
}

export function versionName({ digest: known = '' }: FileState): string {
  return known.replace(/^sha256:/, '');
}

function writeNew(file: string, bytes: Buffer): void {
  try {
    writeFileSync(file, bytes, { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if (errno(error) !== 'EEXIST') throw error;
  }
}

function isPruneDue(): boolean {
  const isDue = performance.now() - prunedAt >= pruneEveryMs;
  if (isDue) prunedAt = performance.now();
  return isDue;
}

/** The oldest go first. */
export async function pruneVersions(home: string, { days, bytes }: typeof retention): Promise<void> {
  const root = join(home, 'review');
  const files: { file: string; size: number; at: number }[] = [];
  const pauses = createPauses();
  for (const session of namesIn(root))
    for (const name of namesIn(join(root, session, 'versions'))) {
      const file = join(root, session, 'versions', name);
      const stat = statSync(file, { throwIfNoEntry: false });
      if (stat !== undefined) files.push({ file, size: stat.size, at: stat.mtimeMs });
      if (pauses.isDue()) await pauses.rest();
    }
  let total = 0;
  for (const { file, size, at } of files.sort((a, b) => b.at - a.at)) {
    total += size;
    if (total > bytes || Date.now() - at > days * 24 * 60 * 60 * 1000) rmSync(file, { force: true });
    if (pauses.isDue()) await pauses.rest();
  }
}

/** Read in batches: reading 60,000 names at once takes 50 ms. */
function* namesIn(folder: string): Generator<string, void, void> {
  if (!existsSync(folder)) return;
  using entries = opendirSync(folder, { bufferSize: 1024 });
  for (let entry = entries.readSync(); entry !== null; entry = entries.readSync()) yield entry.name;
}
