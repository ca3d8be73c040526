// Sessions in worktrees: creating one, the state of its worktree, merging it into the workspace, and removing it. Merging and removing are
// recorded in the session, and refused while something runs in the worktree.
import { ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { isTurnHeld } from '../agent/turn-log.ts';
import {
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

  async function pairOf(id: string): Promise<{ pair: WorktreePair; header: SessionHeader }> {
    const header = await parts.headers.of(id);
    if (header?.worktree === undefined) throw noWorktree(id);
    const { host: worktreeHost, worktree } = await places.of(id);
    if (worktree?.missing !== undefined) throw worktree.missing;
    const signal = AbortSignal.any([host.closing, AbortSignal.timeout(gitMs)]);
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
      const { pair, header } = await pairOf(id);
      const path = header.workspace;
      await refuseBusy(host, path);
      const dropped = await dropWorktree(pair, options, async () => {
        for (const session of await sessionsIn(host, path)) {
          await parts.shared.close(session);
          await parts.onDeleted(session);
          await endProcesses(host, session);
        }
        await places.close(path);
      });
      const live = await host.session(id);
      await live.commit(() => [droppedEvent(dropped, actorOf(by))], { durable: true });
      return dropped;
    },
  };
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
