// One call, one way: parse → plan → judge → ask → re-check → run → record. Nothing else knows this order.
import {
  checkPlain,
  type EventBody,
  highestRisk,
  type Outcome,
  type ToolCall,
  ToolError,
} from '@codelab/protocol';
import { rolesOf } from '../profiles/roles-of.ts';
import { isEffectful, wishOf } from '../scheduler/wish-of.ts';
import { newSlotId } from '../workspace/quarantine.ts';
import { askHuman } from './ask-human.ts';
import type { Ran, Tool } from './define-tool.ts';
import { endedBadly } from './ending.ts';
import { findTool } from './find-tool.ts';
import type { Host } from './host.ts';
import { joinEarlier } from './join-earlier.ts';
import type { Again, Args, Journey, Judged, Ready } from './journey.ts';
import { limitTime } from './limit-time.ts';
import type { LiveSession } from './live-session.ts';
import { parseArgs } from './parse-args.ts';
import { judge } from './plan-and-judge.ts';
import { planContext } from './plan-context.ts';
import { hasMoved, planConsented, recheck, startOver } from './recheck.ts';
import { recordFailure, recordSuccess } from './record-call.ts';

// How often one call is looked at again because a human edited it or the files moved under it.
const maxRounds = 5;

export async function runCall(
  host: Host,
  call: ToolCall,
  signal: AbortSignal = new AbortController().signal,
): Promise<Outcome> {
  const limits = host.limits(call.dialect);
  const startedAt = Date.now();
  let session: LiveSession;
  using stack = new DisposableStack();
  try {
    stack.use(host.admissions.enter(call.session, limits.queued));
    session = await host.session(call.session);
  } catch (error) {
    return endedBadly({ call, startedAt }, error);
  }
  const own = { roles: [], unsaved: [], afterRecord: [], changedBy: undefined, consent: undefined };
  const journey: Journey = { host, call, session, limits, signal, startedAt, ...own };
  try {
    checkPlain(call.args, limits.argsDepth);
    return (await joinEarlier(host, session, call, signal)) ?? (await travel(journey));
  } catch (error) {
    return await recordFailure(journey, error);
  }
}

async function travel(journey: Journey): Promise<Outcome> {
  const { host, call, session } = journey;
  if (!session.openCalls.has(call.id)) journey.unsaved.push({ type: 'call.received', call });
  journey.roles = await rolesOf(host.profiles, session, call);
  let next: Again = { again: call.args, why: undefined };
  for (let round = 0; round < maxRounds; round++) {
    const settled = await settle(journey, next.again, next.why);
    const done = 'again' in settled ? settled : await takeTurn(journey, settled);
    if (!('again' in done)) return done;
    next = done;
  }
  throw new ToolError(
    'STALE',
    'The files keep changing under this call, so it was given up. Read them again.',
  );
}

/** Parse, plan, judge and, where needed, ask. */
async function settle(journey: Journey, args: Args, why: string | undefined): Promise<Ready | Again> {
  const { tool, input } = await parse(journey, args);
  const planned = await planConsented(journey, tool, input);
  if ('again' in planned) return planned;
  const verdict = await judge(journey, { tool, args, planned });
  journey.unsaved.push({ type: 'call.planned', callId: journey.call.id, plan: planned.plan, verdict });
  if (verdict.verdict === 'deny') {
    throw new ToolError('PERMISSION_DENIED', `Denied by the rule "${verdict.rule}": ${verdict.reason}`, {
      rule: verdict.rule,
    });
  }
  const judged: Judged = { tool, args, input, planned, verdict };
  const { consent } = journey;
  if (consent !== undefined && hasMoved(consent.basis, planned.plan.basis))
    return startOver(journey, consent.shown);
  const isAgreed = consent !== undefined && highestRisk([consent.risk, verdict.risk]) === consent.risk;
  const isQuestion = planned.plan.question !== undefined;
  if (!isQuestion && (isAgreed || verdict.verdict === 'allow')) return { ...judged, wasAsked: isAgreed };
  const isRiskier = consent !== undefined && !isAgreed;
  return await askHuman(
    journey,
    judged,
    isRiskier ? 'As edited, the call is riskier than what was shown.' : why,
  );
}

async function parse(
  { host, call, limits, roles, signal }: Journey,
  args: Args,
): Promise<{ tool: Tool; input: unknown }> {
  const tool = await findTool(host, roles, call.tool, signal);
  if (tool === undefined) {
    throw new ToolError(
      'TOOL_NOT_FOUND',
      `There is no tool ${JSON.stringify(call.tool)} here. \`codelab tools\` lists them.`,
    );
  }
  return { tool, input: parseArgs(tool, args, { limits, workspace: host.workspace }) };
}

/** Waits for a place among the running calls; there re-checks and runs. */
async function takeTurn(journey: Journey, ready: Ready): Promise<Outcome | Again> {
  const { tool, planned: first } = ready;
  const work = async (isLate: boolean): Promise<Ran<Args> | Outcome | Again> => {
    const now = ready.wasAsked || isLate ? await recheck(journey, ready) : ready;
    if ('again' in now) return now;
    return isEffectful(now.planned) ? await change(journey, now) : await run(journey, now, '');
  };
  const wish = wishOf(journey.session, tool, first);
  // One that only waits for the calls of a sub-agent must not keep them from their places.
  const done =
    tool.startsAgents || first.isElsewhere
      ? await work(false)
      : await journey.host.scheduler.run(wish, work, journey.signal);
  // What changes nothing is recorded after it has left its place, so that many are written together.
  return 'status' in done || 'again' in done ? done : await recordSuccess(journey, tool, done);
}

/** Runs what may change things: its start is on the disk before, its end before the next one has its place. */
async function change(journey: Journey, ready: Ready): Promise<Outcome> {
  const slot = newSlotId();
  const { args, tool, planned } = ready;
  const started = {
    callId: journey.call.id,
    owner: journey.host.owner(),
    args,
    intents: planned.intents,
    slot,
  };
  if (!(await claim(journey, { type: 'call.started', ...started }))) return await outcomeOfOther(journey);
  const ran = await run(journey, ready, slot);
  journey.host.ownChanges.note(ran.effects, ready.wasAsked && planned.plan.diff !== undefined);
  return await recordSuccess(journey, tool, ran);
}

async function run(
  journey: Journey,
  { tool, input, planned, answer, take, wasAsked, verdict }: Ready,
  slot: string,
): Promise<Ran<Args>> {
  const { host, call, limits } = journey;
  const { later, closing } = host;
  const mostMs = call.timeoutMs ?? (tool.startsAgents ? undefined : limits.runMs);
  using time = limitTime(journey.signal, mostMs);
  using running = tool.kind === 'execute' ? host.underWay.begin(call, time.signal) : undefined;
  return await tool.run(input, planned.prepared, {
    ...planContext(journey),
    signal: running?.signal ?? time.signal,
    later,
    closing,
    onRecorded: (work) => journey.afterRecord.push(work),
    callId: call.id,
    slot,
    isAsked: wasAsked || verdict.isAllowedByRules === true,
    answer,
    take,
    report(progress) {
      running?.note(progress);
      host.progress.tell(call, progress);
    },
  });
}

async function outcomeOfOther({ host, session, call, signal }: Journey): Promise<Outcome> {
  const outcome = await joinEarlier(host, session, call, signal);
  if (outcome === undefined)
    throw new ToolError('INTERNAL', 'The call was taken by another process and is gone.');
  return outcome;
}

/** Writes the start of an effect to disk, unless another process has taken the call. */
async function claim(journey: Journey, started: EventBody): Promise<boolean> {
  const { session, call, unsaved } = journey;
  const written = await session.commit(() => (isTaken(session, call.id) ? [] : [...unsaved, started]), {
    durable: true,
    about: call.id,
  });
  journey.unsaved = [];
  return written.length > 0;
}

function isTaken(session: LiveSession, callId: string): boolean {
  return session.finished(callId) !== undefined || session.openCalls.get(callId)?.state === 'running';
}
