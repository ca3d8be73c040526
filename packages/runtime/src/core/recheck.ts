// The re-check step: when it is the call's turn, whether what was agreed to is still what would be done.
import { type Plan, ToolError } from '@codelab/protocol';
import type { Planned, Tool } from '../tool/define-tool.ts';
import { bindingOf } from './approvals.ts';
import type { Again, Args, CallRun, Ready } from './call-run.ts';
import { judgeCall } from './judge-call.ts';
import { isAgreedTo } from './live-calls.ts';
import { parseArgs, planCall } from './plan-call.ts';

/** The call as it is now; or it has to be looked at again. */
export async function recheck(run: CallRun, ready: Ready): Promise<Ready | Again> {
  const { tool, input, args, planned: agreed, wasAsked } = ready;
  const planned = await planConsented(run, tool, input);
  if ('again' in planned) return planned;
  const subject = { call: run.call, tool, args };
  const isSame =
    bindingOf({ ...subject, plan: planned.plan }) === bindingOf({ ...subject, plan: agreed.plan });
  if (isSame && wasAsked) return { ...ready, planned };
  const verdict = await judgeCall(run, { tool, args, planned });
  const isAgreed = wasAsked
    ? verdict.verdict !== 'deny' && isAgreedTo(agreed.plan, planned.plan, run.host.versions)
    : verdict.verdict === 'allow';
  // The rule that allowed it may have been removed while it waited for its place.
  if (!isAgreed && isSame) return { again: args, why: undefined };
  if (!isAgreed) return startOver(run, run.consent?.shown ?? args);
  if (!isSame) run.unsaved.push({ type: 'call.planned', callId: run.call.id, plan: planned.plan, verdict });
  return { ...ready, planned, verdict };
}

/**
 * The plan of a call. What a human chose or edited may fit only what they were shown; when that has changed, the call is shown anew instead
 * of failing.
 */
export async function planConsented(
  run: CallRun,
  tool: Tool,
  input: unknown,
): Promise<Planned<unknown> | Again> {
  const { consent } = run;
  try {
    return await planCall(run, tool, input);
  } catch (error) {
    if (consent === undefined || !(error instanceof ToolError)) throw error;
    const shown = await planCall(run, tool, parseArgs(run, tool, consent.shown));
    if (!hasMoved(consent.basis, shown.plan.basis)) throw error;
    return startOver(run, consent.shown);
  }
}

// What was chosen or edited was made from what is no longer there: the human is shown the call anew, as it was asked.
export function startOver(run: CallRun, args: Args): Again {
  run.consent = undefined;
  run.changedBy = undefined;
  return { again: args, why: 'What it touches was changed in the meantime; this is the new state.' };
}

export function hasMoved(before: Plan['basis'], now: Plan['basis']): boolean {
  const prints = new Map(before.map(({ path, print }) => [path, print]));
  return now.some(({ path, print }) => prints.has(path) && prints.get(path) !== print);
}
