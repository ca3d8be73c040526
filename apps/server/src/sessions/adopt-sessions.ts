// At the start of a gateway: opens the sessions in which calls wait for a human, or were decided and not begun, so that each decision starts
// its call although nobody has connected yet.
import { DialectName } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { logPages } from '../log/log-pages.ts';
import { lateMs } from './left-calls.ts';
import type { OwnSession } from './shared-session.ts';

type Options = {
  open(id: string): Promise<OwnSession>;
  onFault(error: unknown): void;
};

export function adoptSessions(host: Host, options: Options): AsyncDisposable {
  const stop = new AbortController();
  const adopted = adoptAll(host, options, stop.signal).catch(options.onFault);
  return {
    async [Symbol.asyncDispose]() {
      stop.abort();
      await adopted;
    },
  };
}

async function adoptAll(host: Host, { open, onFault }: Options, signal: AbortSignal): Promise<void> {
  const root = host.workspace.root.real;
  const since = Date.now() - longestApprovalMs(host) - lateMs;
  const sessions = await host.log.sessions();
  const recent = sessions.filter(({ workspace, lastAt }) => workspace === root && lastAt >= since);
  for (const { id } of recent) {
    if (signal.aborted) return;
    try {
      if (!(await hasOpenQuestion(host, id)) || signal.aborted) continue;
      const session = await open(id);
      // A client's calls are started when the client connects.
      if (session.client === undefined) session.startDecided();
    } catch (error) {
      onFault(error);
    }
  }
}

/** Nothing waits longer than an approval may, so a session that rested longer has nothing that waits. */
export function longestApprovalMs(host: Host): number {
  return Math.max(...DialectName().options.map((name) => host.limits(name).approvalMs));
}

async function hasOpenQuestion({ log }: Host, id: string): Promise<boolean> {
  const asked = new Set<string>();
  for await (const page of logPages(log, id))
    for (const { body } of page) {
      if (body.type === 'approval.requested') asked.add(body.callId);
      if (body.type === 'call.finished') asked.delete(body.callId);
    }
  return asked.size > 0;
}
