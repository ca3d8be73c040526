// The calls that the client is to run now, as seed 002's signals. A signal is sent only after all approvals of its call are decided.
import type { PluginEncoder, PluginEvent } from '@codelab/dialects';
import type { Executor } from '@codelab/protocol';
import { createQueue } from '../../agent/follow-call.ts';
import type { Executors } from '../../executors/executors.ts';
import type { Order } from '../../executors/job-queue.ts';
import { findLastInLog } from '../../log/entries.ts';
import type { SharedSession } from '../../sessions/gateway.ts';
import type { Receipts } from './receipts.ts';

/** The source of a stream's jobs, its identity as an executor, and the receipts of its results. */
export type Jobs = { executors: Executors; executor: Executor; receipts: Receipts };

export async function* executionSignals(
  session: SharedSession,
  { executors, executor, receipts }: Jobs,
  { encoder, signal }: { encoder: PluginEncoder; signal: AbortSignal },
): AsyncGenerator<PluginEvent> {
  const queue = createQueue<PluginEvent | Order>();
  using _attached = executors.attach(session.id, executor, queue.push);
  using _receipts = receipts.subscribe(session.id, (toolId) =>
    queue.push(encoder.receipt(toolId, { status: 'received' })),
  );
  signal.addEventListener('abort', queue.end, { once: true });
  // The files are in reach again, so an interrupted turn continues.
  session.goOn();
  for await (const item of queue) {
    if (signal.aborted) return;
    // The plugin has no message for a cancelled job, and its later result is not waited for.
    if (item.type === 'cancel') continue;
    if (item.type !== 'execute') yield item;
    else yield encoder.order(item.job, await approvalOf(session, item.approvalId));
  }
}

async function approvalOf(
  session: SharedSession,
  approvalId: string | undefined,
): Promise<{ at: number } | 'by_rule'> {
  if (approvalId === undefined) return 'by_rule';
  const decided = await findLastInLog(
    session.host.log,
    session.id,
    ({ body }) => body.type === 'approval.decided' && body.approvalId === approvalId,
  );
  return { at: decided?.time ?? Date.now() };
}
