// Sessions in worktrees: creating one, the state of its worktree, merging it into the workspace, and removing it. Merging and removing are
// recorded in the session, and refused while something runs in the worktree.
import { existsSync } from 'node:fs';
import { ToolError } from '@codelab/protocol';
import { forgetWorktree, type Host } from '@codelab/runtime';
import { isTurnHeld } from '../agent/turn-log.ts';
import {
  type DroppedWorktree,
  type DropWish,
  droppedEvent,
  dropWorktree,
  mergedEvent,
  mergeWorktree,
  type WorktreePair,
  worktreeState,
} from '../worktrees/finish-worktree.ts';
import { makeWorktree, unmakeWorktree } from '../worktrees/make-worktree.ts';
import type { SessionPlaces } from '../worktrees/worktree-hosts.ts';
import { actorOf, type WorktreeSessions } from './gateway.ts';
import type { Owners, SessionHeader, SessionHeaders } from './session-header.ts';

type Parts = {
  host: Host;
  places: SessionPlaces;
  headers: Pick<SessionHeaders, 'of'>;
  owners: Pick<Owners, 'make'>;
  hasFiles: boolean;
  shared: { close(id: string): Promise<void> };
  /** Ends the terminals of a session. */
  onDeleted(id: string): Promise<void>;
};

const gitMs = 120_000;

export function createWorktreeSessions(parts: Parts): WorktreeSessions {
  const { host, owners } = parts;
  const { places } = parts;

  async function pairOf(id: string): Promise<Paired> {
    const header = await parts.headers.of(id);
    if (header?.worktree === undefined) throw noWorktree(id);
    const { host: worktreeHost, worktree } = await places.of(id);
    if (worktree?.missing !== undefined) throw worktree.missing;
    const signal = gitSignal(host);
    return { pair: { main: host.workspace, worktree: worktreeHost.workspace, signal }, header };
  }

  return {
    async make(id, by, options) {
      if (!parts.hasFiles) throw noFiles();
      const worktree = await makeWorktree(host, id, options);
      try {
        await owners.make(id, by, { workspace: worktree.path, worktree: worktree.worktree });
      } catch (error) {
        await unmakeWorktree(host, worktree);
        throw error;
      }
    },
    state: async (id) => worktreeState((await pairOf(id)).pair),
    async merge(id, by, options) {
      const { pair, header } = await pairOf(id);
      await refuseBusy(host, header.workspace);
      const merged = await mergeWorktree(pair, options);
      const live = await host.session(id);
      await live.commit(() => [mergedEvent(merged, actorOf(by))], { durable: true });
      return merged;
    },
    async drop(id, by, options) {
      const header = await parts.headers.of(id);
      const isGone = header?.worktree !== undefined && !existsSync(header.workspace);
      const dropped = isGone
        ? await dropGone(parts, header, options)
        : await dropPresent(parts, await pairOf(id), options);
      const live = await host.session(id);
      await live.commit(() => [droppedEvent(dropped, actorOf(by))], { durable: true });
      return dropped;
    },
  };
}

type Paired = { pair: WorktreePair; header: SessionHeader };

async function dropPresent(
  parts: Parts,
  { pair, header }: Paired,
  options: DropWish,
): Promise<DroppedWorktree> {
  await refuseBusy(parts.host, header.workspace);
  return await dropWorktree(pair, options, () => endAll(parts, header.workspace));
}

/** Its folder was removed by hand. */
async function dropGone(
  parts: Parts,
  { workspace: path, worktree }: SessionHeader,
  { deletesBranch }: DropWish,
): Promise<DroppedWorktree> {
  const { host } = parts;
  const branch = worktree?.branch ?? null;
  if (deletesBranch && branch !== null) throw keepsBranch(branch);
  await refuseBusy(host, path);
  await endAll(parts, path);
  await forgetWorktree({ workspace: host.workspace, signal: gitSignal(host) }, path);
  return { branch, isBranchDeleted: false, files: 0, commits: 0 };
}

const gitSignal = ({ closing }: Host): AbortSignal => AbortSignal.any([closing, AbortSignal.timeout(gitMs)]);

async function endAll({ host, places, shared, onDeleted }: Parts, path: string): Promise<void> {
  for (const session of await sessionsIn(host, path)) {
    await shared.close(session);
    await onDeleted(session);
    await endProcesses(host, session);
  }
  await places.close(path);
}

async function sessionsIn({ log }: Host, path: string): Promise<string[]> {
  return (await log.sessions()).filter(({ workspace }) => workspace === path).map(({ id }) => id);
}

const processGraceMs = 2000;

async function endProcesses({ processes }: Host, session: string): Promise<void> {
  const running = processes()
    .list(session)
    .map(({ process }) => process);
  await Promise.all(running.map((process) => process.end({ graceMs: processGraceMs })));
}

/** Forks of a session share its worktree. */
async function refuseBusy(host: Host, path: string): Promise<void> {
  for (const id of await sessionsIn(host, path)) {
    const live = await host.session(id);
    await live.catchUp();
    if (live.openCalls.size === 0 && !isTurnHeld(host, id)) continue;
    throw new ToolError(
      'CONCURRENT_LIMIT_EXCEEDED',
      `The agent is working in this worktree (session ${id}). Wait until it is done, or cancel the turn.`,
    );
  }
}

function keepsBranch(branch: string): ToolError {
  return new ToolError(
    'GIT_ERROR',
    `The folder of this worktree is gone, and its branch may have commits that are nowhere else. Drop the worktree without its branch, then look at the branch and delete it: git branch -d ${branch}`,
    { reason: 'worktree_missing' },
  );
}

function noWorktree(id: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `The session ${id} works in the workspace itself.`, {
    reason: 'no_worktree',
  });
}

function noFiles(): ToolError {
  return new ToolError(
    'INVALID_ARGUMENTS',
    'This gateway has no files, so it has no worktrees. Make the worktree where the files are.',
  );
}
