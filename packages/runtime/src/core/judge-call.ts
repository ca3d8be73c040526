// The judge step: what the rules say of a plan for every role that holds, and whether it stays where those roles may change things.
import { setImmediate as otherWork } from 'node:timers/promises';
import { because, highestRisk, phrase, type Touch, type Verdict, visibleLine } from '@codelab/protocol';
import { pathTest, ruleFactsOf, strictness } from '../policy/match-rule.ts';
import type { PlannedCall, Tool } from '../tool/define-tool.ts';
import type { Profile } from '../tool/profile.ts';
import type { CallScope, JudgedCall } from './call-run.ts';

type Judging = CallScope & Pick<JudgedCall, 'tool' | 'args' | 'planned'>;

// A deleted folder may hold a hundred thousand places: each batch is judged by itself, with a turn for other work in between.
const placesAtOnce = 1000;

export async function judgeCall(
  view: CallScope,
  subject: Pick<JudgedCall, 'tool' | 'args' | 'planned'>,
): Promise<Verdict> {
  const judging = { ...view, ...subject };
  const { plan, within = [] } = judging.planned;
  const places = [...plan.touches, ...within];
  let verdict = judgePlaces(judging, places.slice(0, placesAtOnce));
  for (let at = placesAtOnce; at < places.length; at += placesAtOnce) {
    await otherWork();
    verdict = stricter(verdict, judgePlaces(judging, places.slice(at, at + placesAtOnce)));
  }
  return verdict;
}

/** A rule that asks or denies speaks when any place fits, one that allows when every place does: so the strictest batch holds for all. */
function stricter(one: Verdict, other: Verdict): Verdict {
  const strictest = strictness[other.verdict] > strictness[one.verdict] ? other : one;
  const known = new Set(one.parts.map(({ text }) => text));
  const parts = [...one.parts, ...other.parts.filter(({ text }) => !known.has(text))];
  return { ...byRulesOfAll(strictest, [one, other]), risk: highestRisk([one.risk, other.risk]), parts };
}

// What one role is allowed by a rule may be allowed to another by its mode alone.
function byRulesOfAll(verdict: Verdict, all: readonly Verdict[]): Verdict {
  if (verdict.isAllowedByRules === undefined || all.every((one) => one.isAllowedByRules)) return verdict;
  const { isAllowedByRules: _, ...rest } = verdict;
  return rest;
}

function judgePlaces(
  { host, call, session, roles, tool, args, planned }: Judging,
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
  const strictest = verdicts.reduce((best, one) =>
    strictness[one.verdict] > strictness[best.verdict] ? one : best,
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
  // Folders that are made on the way to a file go with the file.
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
