// The plan of a call and the verdict on it, as often as it is looked at.
import type { Verdict } from '@codelab/protocol';
import type { Planned, Tool } from './define-tool.ts';
import type { Journey, Judged } from './journey.ts';
import { judgeCall } from './judge-call.ts';
import { planCall } from './plan-call.ts';
import { planContext } from './plan-context.ts';

export async function plan(journey: Journey, tool: Tool, input: unknown): Promise<Planned<unknown>> {
  journey.signal.throwIfAborted();
  return await planCall(tool, input, planContext(journey));
}

export function judge(
  journey: Journey,
  subject: Pick<Judged, 'tool' | 'args' | 'planned'>,
): Promise<Verdict> {
  return judgeCall({ ...journey, ...subject, peerAsks: journey.call.requiresApproval === true });
}
