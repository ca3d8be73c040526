// Runs one call in the form of seed 002 through the whole pipeline of this machine: its rules judge, its log records, its undo can revert
// it.
import { type Dialect, findDialect, refuse } from '@codelab/dialects';
import {
  type ApprovalRequest,
  type DecidedBy,
  type Decision,
  type Outcome,
  ToolError,
} from '@codelab/protocol';
import { answerApproval, expire, type Host, randomId, runCall, runConsented } from '@codelab/runtime';
import type { ToolResult } from '../api/tool-calls.ts';

/** The decision of this machine's user on an approval of its own rules. */
export type LocalDecision = (approval: ApprovalRequest, signal: AbortSignal) => Promise<Decision | undefined>;

export type PluginCallOptions = {
  host: Host;
  /** The local session that records the calls. The same call id never runs twice in it. */
  session: string;
  /** Without it, or when it returns undefined, every call that needs approval is refused. */
  decide?: LocalDecision;
  /** The author of the decision, for the record. */
  by?: DecidedBy;
};

export type PluginCall = { id: string; tool: string; args: Record<string, unknown>; signal?: AbortSignal };

export async function runPluginCall(options: PluginCallOptions, call: PluginCall): Promise<ToolResult> {
  const plugin = findDialect('plugin');
  try {
    const wireCall = plugin.ask({ ...call, isLasting: true });
    const outcome = await run(options, { ...call, tool: wireCall.tool, args: wireCall.args });
    return plugin.encode({ type: 'result', asked: wireCall, outcome }) as ToolResult;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return refused(plugin, call, error);
  }
}

async function run(options: PluginCallOptions, { id, tool, args, signal }: PluginCall): Promise<Outcome> {
  const { host, session } = options;
  return await runCall(host, { id, session, tool, args, dialect: 'plugin' }, signal, (approval, ending) =>
    answer(options, approval, ending),
  );
}

async function answer(
  options: PluginCallOptions,
  approval: ApprovalRequest,
  signal: AbortSignal,
): Promise<void> {
  const { host, session, decide, by = { who: 'user', via: 'client' } } = options;
  const decision = await decide?.(approval, signal);
  if (decision === undefined) return await expire(await host.session(session), approval);
  await answerApproval(host, { session, approvalId: approval.id, decision, by });
}

function refused(plugin: Dialect, { id, tool, args }: PluginCall, error: ToolError): ToolResult {
  return plugin.encode(refuse({ id, wire: { tool, args } }, error)) as ToolResult;
}

// Undoes what one call did to files on this machine, when its user asks for it.

/** False when the call changed nothing that can be undone. Files that were changed since stay unchanged. */
export async function undoCall(
  host: Host,
  { session, callId }: { session: string; callId: string },
): Promise<boolean> {
  const call = {
    id: randomId(),
    session,
    tool: 'undo',
    args: { call_id: callId },
    dialect: 'codelab' as const,
  };
  const outcome = await runConsented(host, call, { who: 'user', via: 'client' });
  return outcome.status === 'completed';
}
