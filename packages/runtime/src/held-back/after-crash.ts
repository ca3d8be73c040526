// Recovers a command whose process died before its result was inspected: completes half-finished moves to the quarantine, and names
// what appeared since the command's start. Nothing more is held back: it may be the user's own by now.
import { existsSync, lstatSync } from 'node:fs';
import { join } from 'node:path';
import { firstNames } from '@codelab/protocol';
import { isProtectedPath } from '../policy/protected-names.ts';
import type { HeldBack } from '../process/held-back.ts';
import { readGitFiles } from '../snapshot/git-deciding-files.ts';
import { inodeOf, type Repositories, scanForRepositories } from '../snapshot/repositories.ts';
import { grainOf, isBuildFolder } from '../snapshot/tree-entry.ts';
import { Directory } from '../workspace/directory.ts';
import { slotsFolder } from '../workspace/quarantine/quarantine.ts';
import { gitDirectories } from '../workspace/workspace.ts';
import { heldInSlot, readHeldList } from './find-held.ts';
import { finishAside, openSpot } from './take-out.ts';

export type AfterCrash = { held: HeldBack[]; appeared: string[] };

type CrashedCall = { root: Directory; home: string; slot: string; startedAt: number };

const budget = { entries: 500_000, ms: 3000 };

export async function afterCrash({ root, home, slot, startedAt }: CrashedCall): Promise<AfterCrash> {
  await finishMoves(root, home, slot);
  const { created, matches: protectedPaths } = await scanForRepositories({
    root,
    folders: [''],
    known: ownRepository(root, startedAt),
    // In a build folder these names belong to packages.
    isWanted: (path) => isProtectedPath(path) && !path.split('/').some(isBuildFolder),
    startedAt,
    budget,
  });
  const heldFiles = heldInSlot(home, slot, root.real).flatMap((call) => call.held);
  return {
    held: heldFiles,
    appeared: [...created, ...protectedPaths, ...changedSince(root, startedAt)].sort(),
  };
}

/** Using the workspace's own repository changes its times; only another repository in its place is reported. */
function ownRepository(root: Directory, startedAt: number): Repositories {
  const repositories: Repositories = new Map();
  const stat = lstatSync(root.at('.git'), { throwIfNoEntry: false });
  if (stat?.isDirectory() && stat.birthtimeMs < startedAt) repositories.set('.git', inodeOf(stat));
  return repositories;
}

function changedSince(root: Directory, startedAt: number): string[] {
  const files = readGitFiles(root.real, ['.git', ...gitDirectories(root)]);
  return [...files.keys()].filter((path) => {
    const stat = lstatSync(join(root.real, path), { throwIfNoEntry: false });
    return stat?.isDirectory() === false && stat.ctimeMs + grainOf(stat.ctimeMs) >= startedAt;
  });
}

export function crashText({ held, appeared }: AfterCrash, callId: string): string {
  return [
    held.length === 0
      ? ''
      : ` Held back: ${firstNames(held.map(({ path }) => path))}; \`codelab held restore ${callId}\` restores it.`,
    appeared.length === 0
      ? ''
      : ` These files control what runs on this machine and are new or changed since it started: ${firstNames(appeared)}. Check them before you use git or an editor here.`,
  ].join('');
}

// On another device a file is first renamed beside its place and then copied.
async function finishMoves(root: Directory, home: string, slot: string): Promise<void> {
  const folder = join(slotsFolder(home), slot);
  if (slot === '' || !existsSync(folder)) return;
  using slotFolder = Directory.openRoot(folder);
  for (const { path, item, temp } of readHeldList(folder)) {
    try {
      using spot = openSpot(root, path);
      if (existsSync(spot.parent.at(temp))) await finishAside(spot.parent, temp, slotFolder, item);
    } catch {
      // The file's folder was deleted; the copy under the temp name is harmless, because nothing refers to it.
    }
  }
}
