// What the client is to carry out now, as seed 002's signals. One is sent only after everything that had to be asked was answered.
import { findDialect } from '@codelab/dialects';
import type { SharedSession } from '../../gateway/gateway.ts';
import type { Executors, Job } from '../../remote/executors.ts';
import type { PluginEvent } from './plugin-event.ts';

export async function* executionSignals(
  session: SharedSession,
  executors: Executors,
  signal: AbortSignal,
): AsyncGenerator<PluginEvent> {
  const plugin = findDialect('plugin');
  for await (const job of executors.take(session.id, signal)) {
    const asked = plugin.spell({ id: job.callId, tool: job.tool, args: job.args });
    const { type, ...payload } = plugin.encode({ type: 'call', call: asked });
    const execution_context = await contextOf(session, job);
    const more = { tool_name: asked.wire.tool, tool_params: asked.wire.args, session_id: session.id };
    yield { type: String(type), payload: { ...payload, ...more, execution_context }, time: Date.now() };
  }
}

/** A client runs only what was approved: by a human, or by a rule that lets it pass unasked. */
async function contextOf(session: SharedSession, { callId }: Job): Promise<object> {
  const decided = (await session.history()).findLast(
    ({ body }) => body.type === 'approval.decided' && body.callId === callId,
  );
  if (decided === undefined) return { user_approved: true, approved_by: 'rule' };
  const approval_time = new Date(decided.time).toISOString();
  return { user_approved: true, approved_by: 'human', approval_time };
}
