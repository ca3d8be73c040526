// A person's own look at the workspace: planned and judged like any call, but not written to the log. Only for tools that change nothing;
// what a rule wants to be asked about has to be a call, so that the record tells of it.
import { type Limits, type Seen, ToolError } from '@codelab/protocol';
import { defaultProfile } from '../profiles/profile.ts';
import { findTool } from './find-tool.ts';
import type { Host } from './host.ts';
import { judgeCall } from './judge-call.ts';
import { LiveSession } from './live-session.ts';
import { parseArgs } from './parse-args.ts';
import { planContext } from './plan-context.ts';

type Look = {
  tool: 'read_file' | 'list_files' | 'find_files';
  args: Record<string, unknown>;
  /** Where a screen may be shown more than a model. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
};

export type Looked = { data: Record<string, unknown>; seen: readonly Seen[] };

export async function look(host: Host, { tool: name, args, ...more }: Look): Promise<Looked> {
  const limits = { ...host.limits('codelab'), ...more.limits };
  const signal = AbortSignal.any([AbortSignal.timeout(limits.runMs), ...(more.signal ? [more.signal] : [])]);
  const roles = await host.profiles.find(defaultProfile);
  const tool = await findTool(host, roles, name, signal);
  if (tool === undefined) throw new ToolError('TOOL_NOT_FOUND', `There is no tool ${name} here.`);
  // No session can have this name, so that none of its rules counts here.
  const session = await LiveSession.open(host.log, '-look', host.workspace.root.real);
  const context = planContext({ host, session, limits, signal, roles });
  const input = parseArgs(tool, args, context);
  const planned = await tool.plan(input, context);
  const verdict = await judgeCall({ host, session, roles, tool, args, planned, peerAsks: false });
  if (verdict.verdict !== 'allow' || planned.intents.length > 0)
    throw new ToolError('PERMISSION_DENIED', verdict.reason, {
      rule: verdict.rule,
      verdict: verdict.verdict,
    });
  const { later, closing } = host;
  const own = { callId: 'look', slot: '', isAsked: false, answer: undefined, take: undefined };
  const deaf = { report: () => undefined, onRecorded: () => undefined };
  const { data, seen = [] } = await tool.run(input, planned.prepared, {
    ...context,
    later,
    closing,
    ...own,
    ...deaf,
  });
  return { data, seen };
}
