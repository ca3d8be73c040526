// The verdict of policy on a call or a shell line, as a test. Nothing runs, and no file content is revealed.
import type { PolicyVerdict } from '@codelab/api';
import { ToolError, type Verdict } from '@codelab/protocol';
import { createRegistry, explainCommand, type Host } from '@codelab/runtime';

type TestCall = {
  tool?: string | undefined;
  args?: Record<string, unknown> | undefined;
  command?: string | undefined;
  cwd?: string | undefined;
  profile?: string | undefined;
};

// An id that no session has, so that no session rule applies.
const nobodys = 'policy-check';

export async function judgeTestCall(
  host: Host,
  { tool, args = {}, command, cwd, profile }: TestCall,
  session: string = nobodys,
): Promise<PolicyVerdict> {
  if ((tool === undefined) === (command === undefined))
    throw new ToolError('INVALID_ARGUMENTS', 'Give `tool` with `args`, or `command`.', { field: 'tool' });
  if (command !== undefined) {
    const { verdict, command: read } = await explainCommand(host, command, { cwd, profile });
    return { what: command, ...describeVerdict(verdict), depths: read.parts.map(({ depth = 0 }) => depth) };
  }
  const caller = { session, dialect: 'codelab' as const, ...(profile !== undefined && { profile }) };
  const registry = await createRegistry(host, caller);
  const { plan, verdict } = await registry.approvalRequest(tool ?? '', args);
  return { what: plan.summary, ...describeVerdict(verdict) };
}

function describeVerdict({
  verdict,
  risk,
  rule,
  layer,
  reason,
  phrases,
  parts,
}: Verdict): Omit<PolicyVerdict, 'what'> {
  return { verdict, risk, rule, layer, reason, ...(phrases && { phrases }), parts };
}
