// Decides which neighbouring calls of a reply can be approved as one group. Each must need an approval as planned now, and none may touch
// what another does: a decision is bound to the bytes that were shown, so a call that builds on an earlier one is asked about after that
// has run.
import { type Plan, type ToolCall, ToolError, type Touch } from '@codelab/protocol';
import { type Host, planOnly } from '@codelab/runtime';

/** `toCore` turns a call of the model into a call of the core; undefined when it can't be read. */
export async function countGroupedCalls(
  host: Host,
  calls: readonly ToolCall[],
  toCore: (call: ToolCall) => ToolCall | undefined,
): Promise<number> {
  const touched: Touch[] = [];
  let count = 0;
  for (const call of calls) {
    const plan = await askedPlan(host, call, toCore);
    if (plan === undefined || plan.touches.some((touch) => touched.some((other) => overlap(touch, other))))
      break;
    touched.push(...plan.touches);
    count++;
  }
  return count;
}

/** Undefined when the call runs unasked, is refused, or asks its own question. */
async function askedPlan(
  host: Host,
  call: ToolCall,
  toCore: (call: ToolCall) => ToolCall | undefined,
): Promise<Plan | undefined> {
  const state = (await host.session(call.session)).openCalls.get(call.id);
  if (state?.state === 'awaiting_approval') return withoutQuestion(state.approval.plan);
  const core = state === undefined ? toCore(call) : undefined;
  if (core === undefined) return undefined;
  try {
    const { plan, verdict } = await planOnly(host, core);
    return verdict.verdict === 'ask' ? withoutQuestion(plan) : undefined;
  } catch (error) {
    // The call may become valid once the calls before it have run; otherwise it fails on its own.
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}

function withoutQuestion(plan: Plan): Plan | undefined {
  return plan.question === undefined ? plan : undefined;
}

/** Whether one call changes the place, or its folder, that the other call is about. */
function overlap(touch: Touch, other: Touch): boolean {
  if (touch.access === 'read' && other.access === 'read') return false;
  return isWithin(touch.path, other.path) || isWithin(other.path, touch.path);
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || folder === '.' || path.startsWith(`${folder}/`);
}
