// One call, one way: parse → plan → judge → ask → re-check → run → record. Nothing else knows this order.
// `runCall` goes the whole way. `planOnly` ends at the verdict, `readUnrecorded` runs what changes nothing and writes no record, and
// `inspect` only reads as a plan does.
import {
  checkPlain,
  type Effect,
  highestRisk,
  type Limits,
  type Outcome,
  type Plan,
  type Seen,
  type ToolCall,
  ToolError,
  Unanswered,
  type Verdict,
} from '@codelab/protocol';
import { demandOf, isEffectful } from '../scheduler/scheduler.ts';
import type { PlanContext, ToolRunResult } from '../tool/define-tool.ts';
import { defaultProfile } from '../tool/profile.ts';
import { newSlotId } from '../workspace/commit/change.ts';
import { askHuman, hasMoved, planConsented, recheck, startOver } from './ask-human.ts';
import type { CallRun, CallScope, JudgedCall, PlanAgain, ReadyCall, ToolArguments } from './call-run.ts';
import { endedBadly, recordFailure, recordSuccess } from './finish-call.ts';
import type { Host } from './host.ts';
import { judgeCall } from './judge-call.ts';
import { parseCall, planCall, planContext, rolesOf } from './plan-call.ts';
import { claimCall, joinEarlier, outcomeOfOther } from './recovery/call-owner.ts';
import { runRecorded, runUnrecorded } from './run-tool.ts';
import { checkUnsaved } from './session/folded-session.ts';
import type { LiveSession } from './session/live-session.ts';

// How often one call is planned again because a human edited it or the files changed under it.
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
  const own = { roles: [], unrecorded: [], afterRecord: [], changedBy: undefined, consent: undefined };
  const run: CallRun = { host, call, session, limits, signal, startedAt, ...own };
  try {
    checkPlain(call.args, limits.argsDepth);
    return (await joinEarlier(host, session, call, signal)) ?? (await takeSteps(run));
  } catch (error) {
    if (error instanceof Unanswered) throw error;
    return await recordFailure(run, error);
  }
}

/**
 * Plans and judges: what a human would be asked, and why. Nothing is asked, run or recorded. `unsavedTexts` stand in for those of the session.
 */
export async function planOnly(
  host: Host,
  call: Omit<ToolCall, 'id'>,
  unsavedTexts?: ReadonlyMap<string, string>,
): Promise<{ plan: Plan; verdict: Verdict }> {
  const limits = host.limits(call.dialect);
  const live = await host.session(call.session);
  const roles = await rolesOf(host.profiles, live, call);
  const signal = AbortSignal.timeout(limits.runMs);
  const session = unsavedTexts === undefined ? live : withTexts(live, unsavedTexts);
  const view: CallScope = { host, call, session, limits, signal, roles };
  const { planned, verdict } = await assess(view, call.args);
  return { plan: planned.plan, verdict };
}

function withTexts(live: LiveSession, unsavedTexts: ReadonlyMap<string, string>): CallScope['session'] {
  const { id, mode, rules, isElsewhere } = live;
  const seen = live.seen.bind(live);
  const latest = live.latest.bind(live);
  return { id, mode, rules, isElsewhere, seen, latest, outcome: live.outcome.bind(live), unsavedTexts };
}

type UnrecordedRead = {
  tool: 'read_file' | 'list_files' | 'find_files' | 'search_in_project' | 'git.status';
  args: ToolArguments;
  /** Where a screen may be shown more than a model. */
  limits?: Partial<Limits>;
  signal?: AbortSignal;
};

// No session can have this name, so that no rule of a session counts.
const noSession: CallScope['session'] = {
  ...{ id: '-', mode: undefined, rules: [], isElsewhere: false, unsavedTexts: new Map() },
  seen: () => undefined,
  latest: async () => undefined,
  outcome: async () => undefined,
};

/** A person reads their own workspace. What a rule wants to ask about has to be a call, so that the record tells of it. */
export async function readUnrecorded(
  host: Host,
  { tool, args, ...options }: UnrecordedRead,
): Promise<{ data: ToolArguments; seen: readonly Seen[] }> {
  const limits = { ...host.limits('codelab'), ...options.limits };
  const ends = [AbortSignal.timeout(limits.runMs), ...(options.signal ? [options.signal] : [])];
  const roles = await host.profiles.find(defaultProfile);
  const signal = AbortSignal.any(ends);
  const view: CallScope = { host, call: { tool, args }, session: noSession, limits, signal, roles };
  const judged = await assess(view, args);
  const { verdict, reason, rule } = judged.verdict;
  if (verdict !== 'allow' || isEffectful(judged.planned))
    throw new ToolError('PERMISSION_DENIED', reason, { rule, verdict });
  const { data, seen = [] } = await runUnrecorded(view, judged);
  return { data, seen };
}

/** Reads what a plan of this session may read, for a view of the files that no tool has. */
export async function inspect<T>(
  host: Host,
  { session: id, limits: more }: { session: string; limits?: Partial<Limits> },
  read: (context: PlanContext) => T | Promise<T>,
): Promise<T> {
  const session = await host.session(id);
  const roles = await host.profiles.find(defaultProfile);
  const limits = { ...host.limits('codelab'), ...more };
  return await read(planContext({ host, session, limits, roles, signal: AbortSignal.timeout(limits.runMs) }));
}

async function takeSteps(run: CallRun): Promise<Outcome> {
  const { host, call, session } = run;
  if (!session.openCalls.has(call.id)) run.unrecorded.push({ type: 'call.received', call });
  run.roles = await rolesOf(host.profiles, session, call);
  let next: PlanAgain = { again: call.args, why: undefined };
  for (let round = 0; round < maxRounds; round++) {
    const ready = await agree(run, next.again, next.why);
    const done = 'again' in ready ? ready : await takeTurn(run, ready);
    if (!('again' in done)) return done;
    next = done;
  }
  throw new ToolError(
    'STALE',
    'The files keep changing under this call, so it was given up. Read them again.',
  );
}

/** Parse, plan, judge. */
function assess(run: CallRun, args: ToolArguments): Promise<JudgedCall | PlanAgain>;
function assess(view: CallScope, args: ToolArguments): Promise<JudgedCall>;
async function assess(view: CallScope | CallRun, args: ToolArguments): Promise<JudgedCall | PlanAgain> {
  const { tool, input } = await parseCall(view, args);
  const isRecorded = 'consent' in view;
  const planned = await (isRecorded ? planConsented(view, tool, input) : planCall(view, tool, input));
  if ('again' in planned) return planned;
  return { tool, args, input, planned, verdict: await judgeCall(view, { tool, args, planned }) };
}

/** Assesses the call and asks a human where the verdict or the tool says so. */
async function agree(
  run: CallRun,
  args: ToolArguments,
  why: string | undefined,
): Promise<ReadyCall | PlanAgain> {
  const judged = await assess(run, args);
  if ('again' in judged) return judged;
  const { planned, verdict } = judged;
  run.unrecorded.push({ type: 'call.planned', callId: run.call.id, plan: planned.plan, verdict });
  if (verdict.verdict === 'deny') {
    throw new ToolError('PERMISSION_DENIED', `Denied by the rule "${verdict.rule}": ${verdict.reason}`, {
      rule: verdict.rule,
    });
  }
  const { consent } = run;
  if (consent !== undefined && hasMoved(consent.basis, planned.plan.basis))
    return startOver(run, consent.shown);
  // How long an edit became in their own hands is no news to who edited it.
  const agreedRisk =
    consent && highestRisk([consent.risk, judged.tool.kind === 'edit' ? 'high' : consent.risk]);
  const isAgreed = agreedRisk !== undefined && highestRisk([agreedRisk, verdict.risk]) === agreedRisk;
  const isQuestion = planned.plan.question !== undefined;
  if (!isQuestion && (isAgreed || verdict.verdict === 'allow')) return { ...judged, wasAsked: isAgreed };
  const isRiskier = consent !== undefined && !isAgreed;
  return await askHuman(run, judged, isRiskier ? 'As edited, the call is riskier than what was shown.' : why);
}

/** Calls of a reply that were asked about together run in the order the model wanted them, whichever was decided first. */
async function waitForEarlier({ call: { group }, session, signal }: CallRun): Promise<void> {
  if (group === undefined || group.index === 1) return;
  const areDone = (): true | undefined => {
    const earlier = [...session.openCalls.values()].filter(
      ({ call }) => call.group?.id === group.id && call.group.index < group.index,
    );
    if (earlier.some(({ state }) => state === 'unanswered')) throw new Unanswered();
    return earlier.length === 0 ? true : undefined;
  };
  await session.waitFor(areDone, signal);
}

/** Waits for a place among the running calls; there re-checks and runs. */
async function takeTurn(run: CallRun, ready: ReadyCall): Promise<Outcome | PlanAgain> {
  await waitForEarlier(run);
  const { tool, planned: first } = ready;
  const work = async (isLate: boolean): Promise<ToolRunResult<ToolArguments> | Outcome | PlanAgain> => {
    const now = ready.wasAsked || isLate ? await recheck(run, ready) : ready;
    if ('again' in now) return now;
    return isEffectful(now.planned) ? await change(run, now) : await runRecorded(run, now, '');
  };
  const wish = demandOf(run.session, tool, first);
  // A call that only waits for the calls of a sub-agent must not keep them from their places.
  const done =
    tool.startsAgents || first.isElsewhere
      ? await work(false)
      : await run.host.scheduler.run(wish, work, run.signal);
  // What changes nothing is recorded after it has left its place, so that many are written together.
  return 'status' in done || 'again' in done ? done : await recordSuccess(run, tool, done);
}

/** Runs what may change things: its start is on the disk before, its end before the next call gets the place. */
async function change(run: CallRun, ready: ReadyCall): Promise<Outcome> {
  const slot = newSlotId();
  const { args, tool, planned } = ready;
  const { intents } = planned;
  const started = { callId: run.call.id, owner: run.host.owner(), args, intents, slot };
  const check = (): void => checkUnsaved(planned, run.session.unsavedTexts, planContext(run));
  if (!(await claimCall(run, { type: 'call.started', ...started }, check))) return await outcomeOfOther(run);
  const servers = run.host.lsp.opened();
  if (tool.kind === 'edit' && run.call.turn !== undefined && run.host.lsp.tellsAfterEdits)
    servers?.edits.before(run.call.id, pathsOf(intents), planContext(run));
  const ran = await runRecorded(run, ready, slot);
  servers?.pool.noteChanges(pathsOf(ran.effects));
  run.host.versions.note(ran.effects, ready.wasAsked && planned.plan.diff !== undefined);
  return await recordSuccess(run, tool, ran);
}

function pathsOf(effects: readonly Effect[]): string[] {
  return effects.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
}
