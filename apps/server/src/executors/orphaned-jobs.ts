// Calls that a client had taken, or was to take, when the gateway went down. They are waited for again, as long as each may take: the
// client may have done its work meanwhile, and nobody else is given it.
import { type CallState, type Outcome, ToolError } from '@codelab/protocol';
import { completed, endedBadly, finishCall, type Host, type Tool, thisProcess } from '@codelab/runtime';
import type { ClientSessions } from './client-sessions.ts';
import type { CallJob } from './job-queue.ts';

type OrphanedJobs = {
  /** Resolves when all orphaned jobs wait for their executors. */
  ready: Promise<void>;
  /** Adopts the jobs of one session, which this process has taken over. */
  adopt(session: string): Promise<void>;
  /** Ends those of one session. */
  cancel(session: string): Promise<void>;
};

type Running = Extract<CallState, { state: 'running' }>;
type Waiting = { stop: AbortController; ended: Promise<void> };

export function awaitOrphanedJobs(
  clientSessions: ClientSessions,
  { onFault, isShared }: { onFault(error: unknown): void; isShared: boolean },
): OrphanedJobs {
  const waiting = new Map<string, Set<Waiting>>();

  function wait(session: string, state: Running, tool: Tool): void {
    const stop = new AbortController();
    const all = waiting.get(session) ?? new Set();
    const ended = finish(clientSessions, state, tool, stop.signal)
      .catch(onFault)
      .finally(() => {
        all.delete(ownWaiting);
        if (all.size === 0) waiting.delete(session);
      });
    const ownWaiting: Waiting = { stop, ended };
    waiting.set(session, all.add(ownWaiting));
  }

  async function start(): Promise<void> {
    const { host, root, clientOf } = clientSessions;
    for (const { session, callId } of await host.log.unfinished(root)) {
      if ((await clientOf(session)) === undefined) continue;
      await waitIfLeft(session, callId);
    }
  }

  async function waitIfLeft(session: string, callId: string): Promise<void> {
    const { host } = clientSessions;
    const live = await host.session(session);
    const state = live.openCalls.get(callId);
    if (state?.state !== 'running' || isAnothers(state, host)) return;
    const tool = host.tools.get(state.call.tool);
    if (tool !== undefined) wait(session, state, tool);
  }

  return {
    ready: isShared ? Promise.resolve() : start(),
    async adopt(session) {
      if (waiting.has(session)) return;
      const live = await clientSessions.host.session(session);
      await live.catchUp();
      for (const callId of [...live.openCalls.keys()]) await waitIfLeft(session, callId);
    },
    async cancel(session) {
      const all = [...(waiting.get(session) ?? [])];
      for (const { stop } of all) stop.abort();
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}

/** Whether another gateway over the same log is running the call. */
function isAnothers({ owner }: Running, { isAlive }: Pick<Host, 'isAlive'>): boolean {
  const current = thisProcess();
  return isAlive(owner) && !(owner.pid === current.pid && owner.startedAt === current.startedAt);
}

async function finish(
  { host, executors }: ClientSessions,
  { call, args, startedAt }: Running,
  tool: Tool,
  stopped: AbortSignal,
): Promise<void> {
  const live = await host.session(call.session);
  const mostMs = call.timeoutMs ?? host.limits(call.dialect).runMs;
  const remainingMs = Math.max(0, startedAt + mostMs - Date.now());
  const report = (progress: Record<string, unknown>): void => host.progress.tell(call, progress);
  const callRef = { session: call.session, callId: call.id, tool: call.tool };
  const job: CallJob = { ...callRef, args, isRepeatable: false, report };
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(remainingMs)]);
  const travelled = { call, startedAt, changedBy: undefined };
  const outcome: Outcome = await executors.carryOut(job, signal).then(
    (data) => completed(travelled, tool, { data, effects: [] }),
    (error: unknown) => {
      if (!(error instanceof ToolError) && !signal.aborted) throw error;
      return endedBadly(travelled, error);
    },
  );
  await finishCall(live, { call, outcome });
}
