// How far a rule that is remembered may reach: in a session that belongs to one of several people, no further than that session, since
// the workspace and the machine are everybody's.
import { type Decision, type Scope, type SessionLog, ToolError } from '@codelab/protocol';

export type RuleScope = Exclude<Scope, 'once'>;

export async function scopesIn(log: SessionLog, session: string): Promise<RuleScope[]> {
  const [first] = await log.read(session, { limit: 1 });
  const isOwned = first?.body.type === 'session.opened' && first.body.owner !== undefined;
  return isOwned ? ['session'] : ['session', 'workspace', 'user'];
}

export async function checkScope(log: SessionLog, session: string, decision: Decision): Promise<void> {
  const scope = 'remember' in decision ? decision.remember?.scope : undefined;
  if (scope === undefined || scope === 'once' || (await scopesIn(log, session)).includes(scope)) return;
  throw new ToolError(
    'PERMISSION_DENIED',
    'A rule can be remembered for this session only; the gateway’s operator decides for the workspace.',
    { scope },
  );
}
