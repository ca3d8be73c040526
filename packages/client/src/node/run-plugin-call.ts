// One call in seed 002's form through the whole pipeline of this machine: its rules judge, its log remembers, its undo can take it back.
import { type Dialect, findDialect, refuse } from '@codelab/dialects';
import {
  type ApprovalRequest,
  type DecidedBy,
  type Decision,
  type Outcome,
  ToolError,
} from '@codelab/protocol';
import { answerApproval, expire, type Host, runAnswered } from '@codelab/runtime';
import type { ToolResult } from '../api/tool-calls.ts';

/** What the user of this machine says to what its own rules ask. */
export type Decide = (approval: ApprovalRequest, signal: AbortSignal) => Promise<Decision | undefined>;

export type ExecutorOptions = {
  host: Host;
  /** The local session that the calls are recorded in. The same call id in it never runs twice. */
  session: string;
  /** Without it, or when it says nothing, whatever has to be asked is refused. */
  decide?: Decide;
  /** Whose word that is, for the record. */
  by?: DecidedBy;
};

export type GivenCall = { id: string; tool: string; args: Record<string, unknown>; signal?: AbortSignal };

export async function runPluginCall(options: ExecutorOptions, given: GivenCall): Promise<ToolResult> {
  const plugin = findDialect('plugin');
  try {
    const asked = plugin.ask({ ...given, isLasting: true });
    const outcome = await run(options, { ...given, tool: asked.tool, args: asked.args });
    return plugin.encode({ type: 'result', asked, outcome }) as ToolResult;
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return refused(plugin, given, error);
  }
}

async function run(options: ExecutorOptions, { id, tool, args, signal }: GivenCall): Promise<Outcome> {
  const { host, session } = options;
  const failed = new AbortController();
  return await runAnswered({
    host,
    call: { id, session, tool, args, dialect: 'plugin' },
    interruption: {
      signal: AbortSignal.any([failed.signal, ...(signal ? [signal] : [])]),
      fail: (reason) => failed.abort(reason),
    },
    answer: (approval, ending) => answer(options, approval, ending),
  });
}

async function answer(
  options: ExecutorOptions,
  approval: ApprovalRequest,
  signal: AbortSignal,
): Promise<void> {
  const { host, session, decide, by = { who: 'user', via: 'client' } } = options;
  const decision = await decide?.(approval, signal);
  if (decision === undefined) return await expire(await host.session(session), approval);
  await answerApproval(host, { session, approvalId: approval.id, decision, by });
}

function refused(plugin: Dialect, { id, tool, args }: GivenCall, error: ToolError): ToolResult {
  return plugin.encode(refuse({ id, wire: { tool, args } }, error)) as ToolResult;
}
