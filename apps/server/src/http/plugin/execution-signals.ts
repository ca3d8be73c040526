// What the client is to carry out now, as seed 002's signals. One is sent only after everything that had to be asked was answered.
import { findDialect } from '@codelab/dialects';
import type { Executor } from '@codelab/protocol';
import { createQueue } from '../../agent/queue.ts';
import type { Executors } from '../../executors/executors.ts';
import type { Order } from '../../executors/job.ts';
import { findLastInLog } from '../../log/log-pages.ts';
import type { SharedSession } from '../../sessions/gateway.ts';
import type { PluginEvent } from './plugin-event.ts';

/** Where a stream takes its jobs from, and as whom. */
export type Jobs = { executors: Executors; executor: Executor };

export async function* executionSignals(
  session: SharedSession,
  { executors, executor }: Jobs,
  signal: AbortSignal,
): AsyncGenerator<PluginEvent> {
  const plugin = findDialect('plugin');
  const orders = createQueue<Order>();
  using _attached = executors.attach(session.id, executor, orders.push);
  signal.addEventListener('abort', orders.end, { once: true });
  // Now that the files are in reach again, a turn that was cut off goes on.
  session.goOn();
  for await (const order of orders) {
    if (signal.aborted) return;
    // The plugin has no word for it: what it says later is not waited for.
    if (order.type === 'cancel') continue;
    const { job, approvalId } = order;
    const asked = plugin.spell({ id: job.callId, tool: job.tool, args: job.args });
    const { type, ...payload } = plugin.encode({ type: 'call', call: asked });
    const execution_context = await contextOf(session, approvalId);
    const more = { tool_name: asked.wire.tool, tool_params: asked.wire.args, session_id: session.id };
    yield { type: String(type), payload: { ...payload, ...more, execution_context }, time: Date.now() };
  }
}

/** A client runs only what was approved: by a human, or by a rule that lets it pass unasked. */
async function contextOf(session: SharedSession, approvalId: string | undefined): Promise<object> {
  if (approvalId === undefined) return { user_approved: true, approved_by: 'rule' };
  const decided = await findLastInLog(
    session.host.log,
    session.id,
    ({ body }) => body.type === 'approval.decided' && body.approvalId === approvalId,
  );
  const approval_time = new Date(decided?.time ?? Date.now()).toISOString();
  return { user_approved: true, approved_by: 'human', approval_time };
}
