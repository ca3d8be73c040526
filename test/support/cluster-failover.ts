// How long the sessions of a dead node wait for their next entry, which only another node can write.
import type { JetStreamLog } from '../../apps/server/src/log/jetstream/jetstream-log.ts';

/** `takenMs`: until another node had the session; `seq`: the last entry before. Milliseconds since the node was gone. */
export type FailedOver = { session: string; ms: number; takenMs: number; seq: number; fault: Fault };

type Fault = 'killed' | 'paused';

type Failover = {
  /** The node of this process is gone from now on. */
  noteExit(pid: number | undefined, fault: Fault): void;
  /** Each for one session with running work. */
  failovers: FailedOver[];
  stop(): void;
};

/** `isAtWork`: an idle session has no next entry to wait for. */
export async function watchFailover(
  log: JetStreamLog,
  isAtWork: (session: string) => boolean,
): Promise<Failover> {
  const ports = await log.cluster();
  const pids = new Map<string, number>();
  const owners = new Map<string, string>();
  const waitingSessions = new Map<string, { since: number; takenAt?: number; seq: number; fault: Fault }>();
  const heads = new Map<string, number>();
  const failovers: Failover['failovers'] = [];
  const stops = [
    ports.members.watch((node, text) => {
      if (text !== undefined) pids.set(node, (JSON.parse(text) as { process: { pid: number } }).process.pid);
    }),
    ports.watchOwners((session, { node }) => {
      const entry = waitingSessions.get(session);
      if (entry !== undefined && owners.get(session) !== node) entry.takenAt ??= performance.now();
      owners.set(session, node);
    }),
    log.watchHeads?.((session, seq) => {
      heads.set(session, seq);
      const entry = waitingSessions.get(session);
      if (entry === undefined || seq <= entry.seq) return;
      waitingSessions.delete(session);
      const now = performance.now();
      const { since, takenAt = now, seq: before, fault } = entry;
      failovers.push({ session, ms: now - since, takenMs: takenAt - since, seq: before, fault });
    }),
  ];
  return {
    failovers,
    noteExit(pid, fault) {
      for (const [session, node] of owners)
        if (pid !== undefined && pids.get(node) === pid && isAtWork(session))
          waitingSessions.set(session, { since: performance.now(), seq: heads.get(session) ?? 0, fault });
    },
    stop() {
      for (const stop of stops) stop?.();
    },
  };
}
