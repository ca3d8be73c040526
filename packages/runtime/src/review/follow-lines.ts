// Separates the agent's lines of a text from its user's when both write to it. The base is the text without the agent's changes: the user's
// lines become part of it, so they are never shown as the agent's and never discarded.
import { commonLines, diffLines, type LineChange } from '@codelab/protocol';

type Pairs = readonly (readonly [base: number, now: number])[];

/** `pairs` are lines that the base and the text have in common; without them they are found by comparing. */
export type FollowedLines = { base: readonly string[]; now: readonly string[]; pairs?: Pairs };

/** The changes from the base to the text. */
export function agentChanges({ base, now, pairs }: FollowedLines): LineChange[] {
  return pairs === undefined ? diffLines(base, now) : gapsOf(pairs, base.length, now.length);
}

/** The agent has changed the text to `after`. The user's lines stay matched wherever the agent left them. */
export function followAgent(lines: FollowedLines, after: readonly string[]): FollowedLines {
  const { base, now, pairs } = lines;
  if (pairs === undefined) return { base, now: after };
  const baseOf = new Map(pairs.map(([baseAt, nowAt]) => [nowAt, baseAt]));
  const stillEqual = commonLines(now, after).flatMap(([nowAt, afterAt]) => {
    const baseAt = baseOf.get(nowAt);
    return baseAt === undefined ? [] : [[baseAt, afterAt] as const];
  });
  return { base, now: after, pairs: matchGaps(stillEqual, base, after) };
}

/** The user has made `theirs` of the text: their changes are made to the base as well. */
export function followUser(lines: FollowedLines, userLines: readonly string[]): FollowedLines {
  const agent = agentChanges(lines);
  const user = diffLines(lines.now, userLines);
  const base: string[] = [];
  const pairs: (readonly [number, number])[] = [];
  let nowAt = 0;
  let theirsAt = 0;
  const pushTheirs = (start: number, end: number): void => {
    for (let at = start; at < end; at++) {
      pairs.push([base.length, at]);
      base.push(userLines[at] ?? '');
    }
  };
  const copyUntil = (nowEnd: number): void => {
    const end = theirsAt + nowEnd - nowAt;
    pushTheirs(theirsAt, end);
    theirsAt = end;
    nowAt = nowEnd;
  };
  while (agent.length > 0 || user.length > 0) {
    const group = nextGroup(agent, user);
    copyUntil(group.start);
    const last = group.user.at(-1);
    const theirsEnd = last ? last.newEnd + group.end - last.oldEnd : theirsAt + group.end - nowAt;
    if (isApart(group)) {
      // The agent's lines are no part of the base; those that it replaced are, and what the user wrote among them.
      const [agentChange] = group.agent;
      if (agentChange !== undefined)
        for (const line of lines.base.slice(agentChange.oldStart, agentChange.oldEnd)) base.push(line);
      for (const { newStart, newEnd } of group.user) pushTheirs(newStart, newEnd);
    } else pushTheirs(theirsAt, theirsEnd);
    theirsAt = theirsEnd;
    nowAt = group.end;
  }
  copyUntil(lines.now.length);
  const endedBase = endLines(base);
  const equal = pairs.filter(([baseAt, at]) => endedBase[baseAt] === userLines[at]);
  return { base: endedBase, now: userLines, pairs: matchGaps(equal, endedBase, userLines) };
}

/** Only the last line may lack its line feed, because a line after it would be joined with it. */
function endLines(lines: readonly string[]): string[] {
  return lines.map((line, at) => (at < lines.length - 1 && !line.endsWith('\n') ? `${line}\n` : line));
}

/** Changes of both that overlap in the text that both changed; in most cases one change of one of them. */
type Group = { agent: LineChange[]; user: LineChange[]; start: number; end: number };

// The text that both changed is the new side of the agent's changes and the old side of the user's.
function nextGroup(agent: LineChange[], user: LineChange[]): Group {
  const isAgentFirst =
    user[0] === undefined || (agent[0]?.newEnd ?? Number.POSITIVE_INFINITY) <= user[0].oldStart;
  const isUserFirst =
    agent[0] === undefined || (user[0]?.oldEnd ?? Number.POSITIVE_INFINITY) <= agent[0].newStart;
  const group: Group = { agent: [], user: [], start: Number.POSITIVE_INFINITY, end: 0 };
  const widen = (start: number, end: number): void => {
    group.start = Math.min(group.start, start);
    group.end = Math.max(group.end, end);
  };
  const isWithin = (start: number, end: number): boolean => start < group.end && group.start < end;
  const takeAgent = (): void => {
    const change = agent.shift() as LineChange;
    group.agent.push(change);
    widen(change.newStart, change.newEnd);
  };
  const takeUser = (): void => {
    const change = user.shift() as LineChange;
    group.user.push(change);
    widen(change.oldStart, change.oldEnd);
  };
  if (isAgentFirst) takeAgent();
  else takeUser();
  if (isAgentFirst || isUserFirst) return group;
  for (;;) {
    if (agent[0] !== undefined && isWithin(agent[0].newStart, agent[0].newEnd)) takeAgent();
    else if (user[0] !== undefined && isWithin(user[0].oldStart, user[0].oldEnd)) takeUser();
    else return group;
  }
}

/**
 * Whether the user's change can be separated from the agent's. Where the user has rewritten the agent's replacements it can't be, and all
 * of it counts as the user's.
 */
function isApart({ agent, user }: Group): boolean {
  const [agentChange, ...otherChanges] = agent;
  if (agentChange === undefined || user.length === 0) return true;
  if (
    otherChanges.length > 0 ||
    user.some(({ oldStart, oldEnd }) => oldStart < agentChange.newStart || oldEnd > agentChange.newEnd)
  )
    return false;
  const isReplacing = ({ oldStart, oldEnd, newStart, newEnd }: LineChange): boolean =>
    oldStart < oldEnd && newStart < newEnd;
  return agentChange.oldStart === agentChange.oldEnd || !user.some(isReplacing);
}

// Lines between two matched ones may be the same as well: the agent may have restored what it had removed.
function matchGaps(pairs: Pairs, base: readonly string[], now: readonly string[]): Pairs {
  const matched: (readonly [number, number])[] = [];
  for (const { oldStart, oldEnd, newStart, newEnd } of gapsOf(pairs, base.length, now.length))
    for (const [a, b] of commonLines(base.slice(oldStart, oldEnd), now.slice(newStart, newEnd)))
      matched.push([oldStart + a, newStart + b]);
  return [...pairs, ...matched].sort(([a], [b]) => a - b);
}

function gapsOf(pairs: Pairs, baseLength: number, nowLength: number): LineChange[] {
  const gaps: LineChange[] = [];
  let oldStart = 0;
  let newStart = 0;
  for (const [oldEnd, newEnd] of [...pairs, [baseLength, nowLength] as const]) {
    if (oldStart < oldEnd || newStart < newEnd) gaps.push({ oldStart, oldEnd, newStart, newEnd });
    oldStart = oldEnd + 1;
    newStart = newEnd + 1;
  }
  return gaps;
}
