// What is different about sessions where several gateways share a log: one is taken before it is opened, handed back when it is closed, and
// let go of when another gateway has taken it.
import { type DialectName, ToolError } from '@codelab/protocol';
import { type Cluster, type LeftSessions, SessionElsewhere } from '../cluster/cluster.ts';
import type { SessionHeaders } from './session-header.ts';

type Parts = {
  headers: Pick<SessionHeaders, 'of'>;
  host: { forget(id: string): void };
  /** Ends calls of processes that are gone, where the files are here. */
  recover(id: string): Promise<void>;
  orphaned: { adopt(session: string): Promise<void> };
  onFault(error: unknown): void;
};

type InCluster = {
  /** From here on no other gateway uses the session; what one that is gone left in it is ended, or waited for. */
  take(id: string, client: DialectName | undefined): Promise<void>;
  forget(id: string): void;
  follow(shared: { leave(id: string): Promise<void> }, adopting: { again(left: LeftSessions): void }): void;
};

/** Without a cluster all sessions are this gateway's own. */
export function inCluster(
  cluster: Cluster | undefined,
  { headers, host, recover, orphaned, onFault }: Parts,
): InCluster {
  return {
    async take(id, client) {
      if (cluster === undefined) return;
      const header = client === undefined ? await headers.of(id) : undefined;
      // Whoever has the workspace has its worktrees.
      await cluster.acquire(id, header?.worktree?.of ?? header?.workspace);
      if (client === undefined) await recover(id);
      else await orphaned.adopt(id);
    },
    forget(id) {
      host.forget(id);
      cluster?.release(id).catch(onFault);
    },
    follow(shared, adopting) {
      cluster?.onLost((id) => void shared.leave(id).catch(onFault));
      cluster?.onNodeGone(adopting.again);
    },
  };
}

/** That a session is with another gateway now is no defect of this one. */
export function exceptMoved(onFault: ((error: unknown) => void) | undefined): (error: unknown) => void {
  return (error) => {
    const isMoved = error instanceof ToolError && error.details?.moved === true;
    if (!isMoved && !(error instanceof SessionElsewhere)) onFault?.(error);
  };
}
