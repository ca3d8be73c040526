// What is found out about one program of a line, from harmless to never; of several findings the strictest holds.
import { type CommandPart, highestRisk, type Risk, ToolError } from '@codelab/protocol';

export type Finding = Pick<CommandPart, 'verdict' | 'mustAsk' | 'sandboxHolds' | 'risk' | 'reason'>;

export function allows(reason = 'Only reads.'): Finding {
  return { verdict: 'allow', mustAsk: false, risk: 'low', reason };
}

export function asks(reason: string, risk: Risk = 'medium'): Finding {
  return { verdict: 'ask', mustAsk: false, risk, reason };
}

/**
 * What it does can't be told from its words, but nothing that the sandbox does not hold can come of it: a human is asked, except in a mode
 * that lets commands work in the sandbox.
 */
export function asksUnlessHeld(reason: string, risk: Risk = 'high'): Finding {
  return { verdict: 'ask', mustAsk: true, sandboxHolds: true, risk, reason };
}

/** A human is asked in every mode. */
export function insists(reason: string, risk: Risk = 'high'): Finding {
  return { verdict: 'ask', mustAsk: true, risk, reason };
}

export function refuses(reason: string): Finding {
  return { verdict: 'deny', mustAsk: true, risk: 'critical', reason };
}

export function strictest(findings: readonly Finding[]): Finding {
  const [first = allows(), ...rest] = findings;
  const found = rest.reduce((best, one) => (weight(one) > weight(best) ? one : best), first);
  return { ...found, risk: highestRisk(findings.map(({ risk }) => risk)) };
}

function weight({ verdict, mustAsk, sandboxHolds }: Finding): number {
  if (verdict === 'deny') return 4;
  if (mustAsk) return sandboxHolds === true ? 2 : 3;
  return verdict === 'ask' ? 1 : 0;
}

/** The end of reading a line: it can't be judged, so it never runs. */
export function unreadable(reason: string): ToolError {
  return new ToolError('COMMAND_NOT_ALLOWED', reason);
}
