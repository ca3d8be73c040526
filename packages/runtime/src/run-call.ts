// One call, one way: parse → plan → judge → ask → re-check → run → record. Nothing else knows this order.
import {
  checkPlain,
  type EventBody,
  highestRisk,
  type Outcome,
  type Plan,
  type ToolCall,
  ToolError,
  type Verdict,
} from '@codelab/protocol';
import { bindingOf } from './approvals.ts';
import { askHuman } from './ask-human.ts';
import type { Planned, Ran, Tool } from './define-tool.ts';
import { endedBadly } from './ending.ts';
import { findTool } from './find-tool.ts';
import type { Host } from './host.ts';
import { joinEarlier } from './join-earlier.ts';
import type { Again, Args, Journey, Judged, Ready } from './journey.ts';
import { judgeCall } from './judge-call.ts';
import { limitTime } from './limit-time.ts';
import type { LiveSession } from './live-session.ts';
import { parseArgs } from './parse-args.ts';
import { planCall } from './plan-call.ts';
import { planContext } from './plan-context.ts';
import { rolesOf } from './profiles/roles-of.ts';
import { recordFailure, recordSuccess } from './record-call.ts';
import { newSlotId } from './workspace/quarantine.ts';

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
  try {
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
  const planned = await plan(journey, tool, input);
  const verdict = await judge(journey, tool, planned);
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
  return { tool, input: parseArgs(tool, args, limits) };
}

async function plan(journey: Journey, tool: Tool, input: unknown): Promise<Planned<unknown>> {
  journey.signal.throwIfAborted();
  return await planCall(tool, input, planContext(journey));
}

function judge(journey: Journey, tool: Tool, planned: Planned<unknown>): Promise<Verdict> {
  return judgeCall({ ...journey, tool, planned, peerAsks: journey.call.requiresApproval === true });
}

/** Waits for a place among the running calls; there re-checks and runs. */
async function takeTurn(journey: Journey, ready: Ready): Promise<Outcome | Again> {
  const { tool, planned: first } = ready;
  const work = async (isLate: boolean): Promise<Ran<Args> | Outcome | Again> => {
    const planned = ready.wasAsked || isLate ? await recheck(journey, ready) : first;
    if (planned === undefined) return startOver(journey, journey.consent?.shown ?? ready.args);
    return isEffectful(planned)
      ? await change(journey, ready, planned)
      : await run(journey, ready, planned, '');
  };
  const wish = { touches: first.plan.touches, changes: isEffectful(first) };
  // One that only waits for the calls of a sub-agent must not keep them from their places.
  const done =
    tool.startsAgents || first.isElsewhere
      ? await work(false)
      : await journey.host.scheduler.run(wish, work, journey.signal);
  // What changes nothing is recorded after it has left its place, so that many are written together.
  return 'status' in done || 'again' in done ? done : await recordSuccess(journey, tool, done);
}

function isEffectful({ intents, isUnforeseeable }: Planned<unknown>): boolean {
  return intents.length > 0 || isUnforeseeable === true;
}

// What was chosen or edited was made from what is no longer there: the human is shown the call anew, as it was asked.
function startOver(journey: Journey, args: Args): Again {
  journey.consent = undefined;
  journey.changedBy = undefined;
  return { again: args, why: 'What it touches was changed in the meantime; this is the new state.' };
}

function hasMoved(before: Plan['basis'], now: Plan['basis']): boolean {
  const prints = new Map(before.map(({ path, print }) => [path, print]));
  return now.some(({ path, print }) => prints.has(path) && prints.get(path) !== print);
}

async function recheck(
  journey: Journey,
  { tool, input, args, planned }: Ready,
): Promise<Planned<unknown> | undefined> {
  const fresh = await plan(journey, tool, input);
  const subject = { call: journey.call, tool, args };
  return bindingOf({ ...subject, plan: fresh.plan }) === bindingOf({ ...subject, plan: planned.plan })
    ? fresh
    : undefined;
}

/** Runs what may change things: its start is on the disk before, its end before the next one has its place. */
async function change(journey: Journey, ready: Ready, planned: Planned<unknown>): Promise<Outcome> {
  const slot = newSlotId();
  const { args, tool } = ready;
  const started = {
    callId: journey.call.id,
    owner: journey.host.owner(),
    args,
    intents: planned.intents,
    slot,
  };
  if (!(await claim(journey, { type: 'call.started', ...started }))) return await outcomeOfOther(journey);
  return await recordSuccess(journey, tool, await run(journey, ready, planned, slot));
}

async function run(
  journey: Journey,
  { tool, input, answer, take, wasAsked, verdict }: Ready,
  { prepared }: Planned<unknown>,
  slot: string,
): Promise<Ran<Args>> {
  const { host, call, limits } = journey;
  const { later, closing } = host;
  const mostMs = call.timeoutMs ?? (tool.startsAgents ? undefined : limits.runMs);
  using time = limitTime(journey.signal, mostMs);
  using running = tool.kind === 'execute' ? host.underWay.begin(call, time.signal) : undefined;
  return await tool.run(input, prepared, {
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
