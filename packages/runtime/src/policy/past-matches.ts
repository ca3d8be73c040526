// Which earlier calls in this workspace a rule would have allowed, so that people see how far it reaches.
import type { Rule, SessionLog } from '@codelab/protocol';
import { judge } from './judge.ts';
import { compileRule, definitionOf, type Facts, factsOf } from './match-rule.ts';

const maxSessions = 50;
const maxEvents = 2000;

export type PastMatch = { session: string; callId: string; at: number; summary: string };

/** Newest first. `workspace` is its real path. */
export async function pastMatches(log: SessionLog, workspace: string, rule: Rule): Promise<PastMatch[]> {
  const policy = { mode: 'strict' as const, rules: [{ layer: 'session' as const, ...compileRule(rule) }] };
  const sessions = (await log.sessions()).filter((one) => one.workspace === workspace);
  const newest = sessions.toSorted((a, b) => b.lastAt - a.lastAt).slice(0, maxSessions);
  const found = new Map<string, PastMatch>();
  for (const { id: session } of newest) {
    const tools = new Map<string, Pick<Facts, 'tool' | 'profile' | 'args'>>();
    for (const { body, time } of await log.read(session, { limit: maxEvents })) {
      if (body.type === 'call.received') {
        const { id, tool, profile = 'build', args } = body.call;
        tools.set(id, { tool, profile, args });
      }
      const call = body.type === 'call.planned' ? tools.get(body.callId) : undefined;
      if (body.type !== 'call.planned' || call === undefined) continue;
      const { plan, callId } = body;
      // Only what would be asked otherwise can be allowed by a rule; the kind itself is not in the record.
      const facts = factsOf({ ...call, kind: plan.command ? 'execute' : 'edit' }, plan.touches);
      const known = { ...facts, definition: definitionOf(call.tool, plan) };
      if (judge(policy, known, plan, false).rule === rule.id)
        found.set(`${session} ${callId}`, { session, callId, at: time, summary: plan.summary });
    }
  }
  return [...found.values()].sort((a, b) => b.at - a.at);
}
