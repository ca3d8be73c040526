// The judgement of one program of a line, from harmless to denied; of several judgements the strictest holds.
import { type CommandPart, highestRisk, type Risk, ToolError } from '@codelab/protocol';
import type { Argument } from './argument.ts';

export type Judgement = Pick<
  CommandPart,
  'verdict' | 'mustAsk' | 'sandboxHolds' | 'onlyReads' | 'risk' | 'reason'
>;

export function allows(reason = 'Only reads.'): Judgement {
  return { verdict: 'allow', mustAsk: false, risk: 'low', reason };
}

export function asks(reason: string, risk: Risk = 'medium'): Judgement {
  return { verdict: 'ask', mustAsk: false, risk, reason };
}

/**
 * What it does can't be told from its words, but nothing that the sandbox does not hold can come of it: a human is asked, except in a mode
 * that lets commands work in the sandbox.
 */
export function asksUnlessHeld(reason: string, risk: Risk = 'high'): Judgement {
  return { verdict: 'ask', mustAsk: true, sandboxHolds: true, risk, reason };
}

/**
 * Changes nothing, but what it reads is known only when it runs: a human is asked, except where the sandbox holds the line with secrets left
 * out and nothing to write to.
 */
export function readsUnclear(reason: string, risk: Risk = 'high'): Judgement {
  return { ...asksUnlessHeld(reason, risk), onlyReads: true };
}

/** What stands for a part until it is judged. */
export const notJudgedYet = 'Not judged yet.';

/** A human is asked in every mode. */
export function insists(reason: string, risk: Risk = 'high'): Judgement {
  return { verdict: 'ask', mustAsk: true, risk, reason };
}

export function refuses(reason: string): Judgement {
  return { verdict: 'deny', mustAsk: true, risk: 'critical', reason };
}

export function strictest(findings: readonly Judgement[]): Judgement {
  const [first = allows(), ...rest] = findings;
  const { onlyReads: _, ...found } = rest.reduce(
    (best, one) => (weight(one) > weight(best) ? one : best),
    first,
  );
  const onlyReads = found.verdict === 'ask' && findings.every(isReading);
  return {
    ...found,
    ...(onlyReads && { onlyReads: true as const }),
    risk: highestRisk(findings.map(({ risk }) => risk)),
  };
}

/** Proven to change nothing, or known to change nothing whatever it turns out to read. */
export function isReading({ verdict, onlyReads }: Pick<Judgement, 'verdict' | 'onlyReads'>): boolean {
  return verdict === 'allow' || onlyReads === true;
}

function weight({ verdict, mustAsk, sandboxHolds }: Judgement): number {
  if (verdict === 'deny') return 4;
  if (mustAsk) return sandboxHolds === true ? 2 : 3;
  return verdict === 'ask' ? 1 : 0;
}

/** The line is not what a shell would take: whoever wrote it can correct it, and permission has nothing to do with it. */
export function invalidLine(reason: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', reason, { field: 'command' });
}

/** The end of reading a line: it can't be judged, so it never runs. */
export function deniedLine(reason: string): ToolError {
  return new ToolError('COMMAND_NOT_ALLOWED', reason);
}

// How a program that starts another hands it over to be judged.
export type JudgeInner = (words: readonly Argument[]) => Judgement;
