// Which earlier calls in this workspace a rule would have allowed, so that people see how far it reaches.
import type { PolicyMode, Rule, SessionLog } from '@codelab/protocol';
import { judge } from './judge.ts';
import { compileRule, definitionOf, type RuleFacts, ruleFactsOf } from './match-rule.ts';

const maxSessions = 50;
const maxEvents = 2000;

export type PastMatch = { session: string; callId: string; at: number; summary: string };

/** Newest first. `workspace` is its real path; `mode` decides whether what only reads needs the rule at all. */
export async function pastMatches(
  log: SessionLog,
  workspace: string,
  rule: Rule,
  mode: PolicyMode = 'strict',
): Promise<PastMatch[]> {
  const policy = { mode, rules: [{ layer: 'session' as const, ...compileRule(rule) }] };
  const sessions = (await log.sessions()).filter((one) => one.workspace === workspace);
  const newest = sessions.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, maxSessions);
  const found = new Map<string, PastMatch>();
  for (const { id: session } of newest) {
    const tools = new Map<string, Pick<RuleFacts, 'tool' | 'profile' | 'args'>>();
    for (const { body, time } of await log.read(session, { limit: maxEvents })) {
      if (body.type === 'call.received') {
        const { id, tool, profile = 'build', args } = body.call;
        tools.set(id, { tool, profile, args });
      }
      const call = body.type === 'call.planned' ? tools.get(body.callId) : undefined;
      if (body.type !== 'call.planned' || call === undefined) continue;
      const { plan, callId } = body;
      // Only what would be asked otherwise can be allowed by a rule; the kind itself is not in the record.
      const facts = ruleFactsOf({ ...call, kind: plan.command ? 'execute' : 'edit' }, plan.touches);
      const known = { ...facts, definition: definitionOf(call.tool, plan) };
      const { verdict, rule: by, isAllowedByRules } = judge(policy, known, plan, false);
      if (by === rule.id || (verdict === 'allow' && isAllowedByRules === true))
        found.set(`${session} ${callId}`, { session, callId, at: time, summary: plan.summary });
    }
  }
  return [...found.values()].sort((a, b) => b.at - a.at);
}
