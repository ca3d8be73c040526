// Events between the kill of a process and the next start.
import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isRoot } from './calls-in-child.ts';
import { realGit } from './real-git.ts';
import { type Lane, start } from './sweep-bench.ts';
import type { Surveyed } from './sweep-points.ts';
import { differing } from './sweep-tree.ts';

type Happening = { lane: Lane; surveyed: Surveyed; pick(length: number): number };

export type SweepEvent = {
  name: string;
  /** The place of the killed process, when it is not here. */
  elsewhere?: readonly string[];
  needsRoot?: boolean;
  /** A second host works in the same workspace all the time. */
  hasCompanion?: boolean;
  /** A path is swapped, so that everything below it is the user's. */
  isSwap?: boolean;
  /** The path has another workspace now, of which nothing belongs to the call. */
  isReplaced?: boolean;
  /** Hosts are started here already, so the call is settled before the event is over. */
  isStart?: boolean;
  /** The process is stopped instead of killed, and continues after the next start. */
  isStopped?: boolean;
  /** Returns whether there was anything to be done. */
  happen?(happening: Happening): Promise<boolean> | boolean;
};

/** The files that the call is about. */
function changedFiles({ old, new: later }: Surveyed): string[] {
  return differing(old, later).filter((path) => (old[path] ?? later[path])?.startsWith('file'));
}

const hour = 3_600_000;
const ann = { session: 'ann' };

const all: readonly SweepEvent[] = [
  { name: 'nothing' },
  {
    name: 'undo',
    isStart: true,
    happen: ({ lane }) =>
      started(lane, [{ tool: 'undo', args: { scope: 'workspace' }, id: 'undone', ...ann }]),
  },
  {
    name: 'redo',
    isStart: true,
    happen: ({ lane }) =>
      started(lane, [
        { tool: 'undo', args: { scope: 'workspace' }, id: 'undone', ...ann },
        { tool: 'redo', args: { scope: 'workspace' }, id: 'redone', ...ann },
      ]),
  },
  { name: 'git-checkout', happen: ({ lane }) => git(lane, ['checkout', '--quiet', '--', '.']) },
  { name: 'git-commit', happen: ({ lane }) => git(lane, ['commit', '--quiet', '--allow-empty', '-am', 'x']) },
  {
    name: 'git-branch',
    happen: ({ lane }) =>
      git(
        lane,
        ['add', '--all'],
        ['commit', '--quiet', '--allow-empty', '-m', 'x'],
        ['checkout', '--quiet', 'main'],
      ),
  },
  {
    name: 'fresh-clone',
    isReplaced: true,
    happen: ({ lane }) => {
      const old = join(lane.outside, 'moved away');
      renameSync(lane.root, old);
      realGit(lane.folder)('clone', '--quiet', '--branch', 'main', old, lane.root);
      return true;
    },
  },
  { name: 'user-edits', happen: edit },
  { name: 'user-deletes', happen: remove },
  {
    name: 'folder-to-link',
    isSwap: true,
    happen: (happening) =>
      swap(happening, (path) => symlinkSync(join(happening.lane.outside, 'canary'), path)),
  },
  {
    name: 'folder-to-file',
    isSwap: true,
    happen: (happening) => swap(happening, (path) => writeFileSync(path, 'a file of the user\n')),
  },
  { name: 'other-host', needsRoot: true, elsewhere: inShell(['--uts'], 'hostname container-a') },
  { name: 'other-pids', needsRoot: true, elsewhere: ['unshare', '--pid', '--fork', '--mount-proc'] },
  {
    name: 'other-boot',
    needsRoot: true,
    elsewhere: inShell(
      ['--mount'],
      'f=$(mktemp) && cat /proc/sys/kernel/random/uuid > "$f" && mount --bind "$f" /proc/sys/kernel/random/boot_id && rm "$f"',
    ),
  },
  { name: 'clock-ahead', isStart: true, happen: ({ lane }) => wroteAt(lane, 15 * 24 * hour) },
  { name: 'clock-back', isStart: true, happen: ({ lane }) => wroteAt(lane, -hour) },
  { name: 'companion', hasCompanion: true },
  { name: 'alive', isStopped: true },
  {
    name: 'alive-elsewhere',
    isStopped: true,
    needsRoot: true,
    elsewhere: ['unshare', '--pid', '--fork', '--mount-proc'],
  },
];

export const sweepEvents: readonly SweepEvent[] = all.filter(({ needsRoot }) => isRoot || !needsRoot);

function inShell(unshare: string[], first: string): string[] {
  return ['unshare', ...unshare, 'sh', '-c', `${first} && exec "$@"`, 'sh'];
}

async function started(lane: Lane, calls: Parameters<typeof start>[1]): Promise<boolean> {
  await start(lane, calls);
  return true;
}

async function wroteAt(lane: Lane, clockMs: number): Promise<boolean> {
  const args = { path: 'other.txt', content: 'by a clock that is wrong\n' };
  const call = { tool: 'write_file', args, id: 'by_clock', ...ann };
  // Settled by a clock that is right; only the write comes by one that is not.
  await start(lane, []);
  await start(lane, [call], { clockMs });
  return true;
}

function git({ root }: Lane, ...commands: string[][]): boolean {
  rmSync(join(root, '.git', 'index.lock'), { force: true });
  for (const command of commands) realGit(root)(...command);
  return true;
}

function edit({ lane, surveyed, pick }: Happening): boolean {
  const files = changedFiles(surveyed);
  const path = files[pick(files.length)];
  if (path === undefined) return false;
  mkdirSync(dirname(join(lane.root, path)), { recursive: true });
  writeFileSync(join(lane.root, path), 'what the user wrote\n');
  return true;
}

function remove({ lane, surveyed, pick }: Happening): boolean {
  const files = changedFiles(surveyed).filter((path) => existsSync(join(lane.root, path)));
  const path = files[pick(files.length)];
  if (path === undefined) return false;
  rmSync(join(lane.root, path));
  return true;
}

/** The old entry is moved out of the workspace; where there was none, the user was first. */
function swap({ lane, surveyed, pick }: Happening, putInPlace: (path: string) => void): boolean {
  const folders = [...new Set(changedFiles(surveyed).map(dirname))].filter((path) => path !== '.');
  const isThere = (path: string): boolean =>
    lstatSync(join(lane.root, path), { throwIfNoEntry: false })?.isDirectory() === true;
  const possible = folders.filter((path) => isThere(path) || isThere(dirname(path)));
  const folder = possible[pick(possible.length)];
  if (folder === undefined) return false;
  const path = join(lane.root, folder);
  if (isThere(folder)) renameSync(path, join(lane.outside, 'moved away'));
  putInPlace(path);
  return true;
}
