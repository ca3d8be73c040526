// The one path of every call: parse → plan → judge → ask → re-check → run → record. No other module knows this order. Shorter paths, and
// calls that a person makes, are in `other-ways.ts`.
import { setImmediate as otherWork } from 'node:timers/promises';
import {
  because,
  checkPlain,
  type Effect,
  highestRisk,
  type Outcome,
  phrase,
  type ToolCall,
  ToolError,
  type Touch,
  Unanswered,
  type Verdict,
  visibleLine,
} from '@codelab/protocol';
import { pathTest, ruleFactsOf, strictness } from '../policy/match-rule.ts';
import { isEffectful, type PlannedCall, type Tool, type ToolRunResult } from '../tool/define-tool.ts';
import { type Profile, rolesOf } from '../tool/profile.ts';
import { newSlotId } from '../workspace/commit/change.ts';
import { askHuman, hasMoved, planConsented, recheck, startOver } from './ask-human.ts';
import type {
  AnswerApproval,
  CallRun,
  CallScope,
  JudgedCall,
  JudgeStep,
  PlanAgain,
  ReadyCall,
  ToolArguments,
} from './call-run.ts';
import type { Host } from './host.ts';
import { demandOf, parseCall, planCall, planContext } from './plan-call.ts';
import { claimCall, joinEarlier, outcomeOfOther, waitForEarlier } from './recovery/call-owner.ts';
import { endedBadly, recordFailure, recordSuccess, runRecorded } from './run-and-record.ts';
import { checkUnsaved } from './session/folded-session.ts';
import type { LiveSession } from './session/live-session.ts';

// How often a call may be planned again because a human edited it or its files changed.
const maxRounds = 5;

/** `answer` is called for each decision that the call needs; without it, the call waits for a decision from elsewhere. */
export async function runCall(
  host: Host,
  call: ToolCall,
  signal: AbortSignal = new AbortController().signal,
  answer?: AnswerApproval,
): Promise<Outcome> {
  const limits = host.limits(call.dialect);
  const startedAt = Date.now();
  let session: LiveSession;
  let admission: Disposable | undefined;
  try {
    admission = host.admissions.enter(call.session, limits.queued);
    session = await host.session(call.session);
  } catch (error) {
    admission?.[Symbol.dispose]();
    return endedBadly({ call, startedAt }, error);
  }
  const fresh = { roles: [], unrecorded: [], afterRecord: [], changedBy: undefined, consent: undefined };
  const run: CallRun = { host, call, session, limits, signal, startedAt, answer, ...fresh };
  try {
    checkPlain(call.args, limits.argsDepth);
    return (await joinEarlier(host, session, call, signal)) ?? (await takeSteps(run));
  } catch (error) {
    if (error instanceof Unanswered) throw error;
    return await recordFailure(run, error);
  } finally {
    if (run.answering !== undefined) await run.answering;
    admission[Symbol.dispose]();
  }
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
export function assess(run: CallRun, args: ToolArguments): Promise<JudgedCall | PlanAgain>;
export function assess(view: CallScope, args: ToolArguments): Promise<JudgedCall>;
export async function assess(
  view: CallScope | CallRun,
  args: ToolArguments,
): Promise<JudgedCall | PlanAgain> {
  const { tool, input } = await parseCall(view, args);
  const isRecorded = 'consent' in view;
  const planned = await (isRecorded ? planConsented(view, tool, input) : planCall(view, tool, input));
  if ('again' in planned) return planned;
  return { tool, args, input, planned, verdict: await judgeCall(view, { tool, args, planned }) };
}

/** Judges the call, and asks a human where the verdict or the tool requires it. */
async function agree(
  run: CallRun,
  args: ToolArguments,
  why: string | undefined,
): Promise<ReadyCall | PlanAgain> {
  const judged = await assess(run, args);
  if ('again' in judged) return judged;
  const { planned, verdict } = judged;
  run.unrecorded.push({ type: 'call.planned', callId: run.call.id, plan: planned.plan, verdict });
  const { rule, reason } = verdict;
  if (verdict.verdict === 'deny')
    throw new ToolError('PERMISSION_DENIED', `Denied by the rule "${rule}": ${reason}`, { rule });
  const { consent } = run;
  if (consent !== undefined && hasMoved(consent.basis, planned.plan.basis))
    return startOver(run, consent.shown);
  // The editor of the call already knows how far their edit goes.
  const agreedRisk =
    consent && highestRisk([consent.risk, judged.tool.kind === 'edit' ? 'high' : consent.risk]);
  const isAgreed = agreedRisk !== undefined && highestRisk([agreedRisk, verdict.risk]) === agreedRisk;
  const isQuestion = planned.plan.question !== undefined;
  if (!isQuestion && (isAgreed || verdict.verdict === 'allow')) return { ...judged, wasAsked: isAgreed };
  const isRiskier = consent !== undefined && !isAgreed;
  return await askHuman(run, judged, isRiskier ? 'As edited, the call is riskier than what was shown.' : why);
}

/** Waits for a place in a lane, then re-checks and runs. */
async function takeTurn(run: CallRun, ready: ReadyCall): Promise<Outcome | PlanAgain> {
  await waitForEarlier(run);
  const { tool, planned: first } = ready;
  const work = async (isLate: boolean): Promise<ToolRunResult<ToolArguments> | Outcome | PlanAgain> => {
    const now = ready.wasAsked || isLate ? await recheck(run, ready, judgeCall) : ready;
    if ('again' in now) return now;
    return isEffectful(now.planned) ? await change(run, now) : await runRecorded(run, now, '');
  };
  const wish = demandOf(run.session, tool, first);
  // A call that only waits for a sub-agent's calls must not block their places.
  const done =
    tool.startsAgents || first.isElsewhere
      ? await work(false)
      : await run.host.scheduler.run(wish, work, run.signal);
  // A call without changes is recorded after it has left its lane, so that many are written together.
  return 'status' in done || 'again' in done ? done : await recordSuccess(run, tool, done);
}

/** Runs a call that may change things: its start is on the disk before, its end before the next call gets the place. */
async function change(run: CallRun, ready: ReadyCall): Promise<Outcome> {
  const slot = newSlotId();
  const { args, tool, planned } = ready;
  const started = { callId: run.call.id, owner: run.host.owner(), args, intents: planned.intents, slot };
  const check = (): void => checkUnsaved(planned, run.session.unsavedTexts, planContext(run));
  if (!(await claimCall(run, { type: 'call.started', ...started }, check))) return await outcomeOfOther(run);
  const servers = run.host.lsp.opened();
  if (tool.kind === 'edit' && run.call.turn !== undefined && run.host.lsp.tellsAfterEdits)
    servers?.edits.before(run.call.id, pathsOf(planned.intents), planContext(run));
  const ran = await runRecorded(run, ready, slot);
  servers?.pool.noteChanges(pathsOf(ran.effects));
  run.host.versions.note(ran.effects, ready.wasAsked && planned.plan.diff !== undefined);
  return await recordSuccess(run, tool, ran);
}

function pathsOf(effects: readonly Effect[]): string[] {
  return effects.flatMap(({ path, from }) => (from === undefined ? [path] : [from, path]));
}

// A deleted folder may have a hundred thousand places: they are judged in batches, and other calls run in between.
const placesAtOnce = 1000;

/** The judge step: applies the rules to a plan for every role, and checks that it stays where those roles may change things. */
const judgeCall: JudgeStep = async (view, subject) => {
  const { plan, within = [] } = subject.planned;
  if (within.length > placesAtOnce) await otherWork();
  let verdict = judgePlaces(view, subject, [...plan.touches, ...within.slice(0, placesAtOnce)]);
  for (let at = placesAtOnce; at < within.length; at += placesAtOnce) {
    await otherWork();
    verdict = stricter(verdict, judgePlaces(view, subject, within.slice(at, at + placesAtOnce)));
  }
  return verdict;
};

/** An ask or deny rule applies when any place matches, an allow rule only when every place does: so the strictest batch decides for all. */
function stricter(first: Verdict, second: Verdict): Verdict {
  const strictest = strictness[second.verdict] > strictness[first.verdict] ? second : first;
  const known = new Set(first.parts.map(({ text }) => text));
  const parts = [...first.parts, ...second.parts.filter(({ text }) => !known.has(text))];
  return { ...byRulesOfAll(strictest, [first, second]), risk: highestRisk([first.risk, second.risk]), parts };
}

// A call counts as allowed by rules only if every role's rules allow it: another role may get it by mode alone.
function byRulesOfAll(verdict: Verdict, all: readonly Verdict[]): Verdict {
  if (verdict.isAllowedByRules === undefined || all.every((each) => each.isAllowedByRules)) return verdict;
  const { isAllowedByRules: _, ...rest } = verdict;
  return rest;
}

function judgePlaces(
  { host, call, session, roles }: CallScope,
  { tool, args, planned }: Parameters<JudgeStep>[1],
  places: readonly Touch[],
): Verdict {
  const { plan, kind = tool.kind, caution, sameAs } = planned;
  const tools = sameAs === undefined ? [tool.name] : [tool.name, sameAs];
  const names = [...new Set(roles.map(({ name }) => name))];
  const peerAsks = call.requiresApproval === true;
  const mode = host.rules.modeOf(session);
  const verdicts = names.flatMap((profile) =>
    tools.map((name) => {
      const facts = ruleFactsOf({ tool: name, kind, profile, caution, args }, places);
      return host.rules.judge(facts, plan, { peerAsks, sessionRules: session.rules, mode });
    }),
  );
  const strictest = verdicts.reduce((best, next) =>
    strictness[next.verdict] > strictness[best.verdict] ? next : best,
  );
  if (strictest.verdict === 'deny') return strictest;
  const common = byRulesOfAll(strictest, verdicts);
  const held = roles.reduce((verdict, role) => holdTo(role, { tool, planned, places }, verdict), common);
  if (held.verdict !== 'allow' || planned.mustAsk === undefined) return held;
  const { rule, reason } = planned.mustAsk;
  return { ...held, verdict: 'ask', layer: 'built-in', rule, ...because(reason) };
}

type Reach = { tool: Tool; planned: PlannedCall; places: readonly Touch[] };

function holdTo(role: Profile, { tool, planned, places }: Reach, verdict: Verdict): Verdict {
  if (role.writes === undefined) return verdict;
  const allowed = pathTest(role.writes);
  // Folders created on the way to a file belong to the file's effect.
  const tried = planned.intents.filter(({ op }) => op !== 'mkdir');
  const changed = [
    ...places.filter(({ access }) => access !== 'read').map(({ path }) => path),
    ...tried.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
  ];
  const isUnknown = planned.isUnforeseeable === true && tool.startsAgents !== true;
  const wrong = changed.find((path) => !allowed(path));
  if (!isUnknown && wrong === undefined) return verdict;
  const held = { profile: role.name, paths: role.writes.join(', ') };
  const reason =
    isUnknown || wrong === undefined
      ? phrase('call.profileUnknown', held)
      : phrase('call.profile', { ...held, path: visibleLine(wrong) });
  return { ...verdict, verdict: 'deny', rule: `profile:${role.name}`, layer: 'built-in', ...because(reason) };
}
