// The judgement on one program of a line, from harmless to denied; of several judgements the strictest counts.
import {
  because,
  type CommandPart,
  englishText,
  highestRisk,
  type Phrase,
  type Phrases,
  phrase,
  type Risk,
  ToolError,
} from '@codelab/protocol';
import type { Argument } from './argument.ts';

export type Judgement = Pick<
  CommandPart,
  'verdict' | 'mustAsk' | 'sandboxHolds' | 'onlyReads' | 'risk' | 'reason' | 'phrases'
>;

export function allows(reason: Phrases = phrase('program.onlyReads')): Judgement {
  return { verdict: 'allow', mustAsk: false, risk: 'low', ...because(reason) };
}

export function asks(reason: Phrases, risk: Risk = 'medium'): Judgement {
  return { verdict: 'ask', mustAsk: false, risk, ...because(reason) };
}

/**
 * The words do not show what the program does, but the sandbox confines it: a human is asked, except in a mode that lets commands work in
 * the sandbox.
 */
export function asksUnlessHeld(reason: Phrases, risk: Risk = 'high'): Judgement {
  return { verdict: 'ask', mustAsk: true, sandboxHolds: true, risk, ...because(reason) };
}

/**
 * The program changes nothing, but what it reads is known only at run time: a human is asked, except where the sandbox runs the line with
 * secrets hidden and nothing writable.
 */
export function readsUnclear(reason: Phrases, risk: Risk = 'high'): Judgement {
  return { ...asksUnlessHeld(reason, risk), onlyReads: true };
}

const notJudged = phrase('line.notJudged');

/** Reserves a part's place in the list until it is judged. */
export const notJudgedYet: Judgement = alwaysAsks(notJudged);

export function isJudged({ phrases }: Pick<Judgement, 'phrases'>): boolean {
  return phrases?.[0]?.key !== notJudged.key;
}

/** A human is asked in every mode. */
export function alwaysAsks(reason: Phrases, risk: Risk = 'high'): Judgement {
  return { verdict: 'ask', mustAsk: true, risk, ...because(reason) };
}

export function refuses(reason: Phrases): Judgement {
  return { verdict: 'deny', mustAsk: true, risk: 'critical', ...because(reason) };
}

export function strictest(findings: readonly Judgement[]): Judgement {
  const [first = allows(), ...rest] = findings;
  const { onlyReads: _, ...strictest } = rest.reduce(
    (best, candidate) => (weight(candidate) > weight(best) ? candidate : best),
    first,
  );
  const onlyReads = strictest.verdict === 'ask' && findings.every(isReading);
  return {
    ...strictest,
    ...(onlyReads && { onlyReads: true as const }),
    risk: highestRisk(findings.map(({ risk }) => risk)),
  };
}

/** Whether a part is proven to change nothing, whatever it reads. */
export function isReading({ verdict, onlyReads }: Pick<Judgement, 'verdict' | 'onlyReads'>): boolean {
  return verdict === 'allow' || onlyReads === true;
}

function weight({ verdict, mustAsk, sandboxHolds }: Judgement): number {
  if (verdict === 'deny') return 4;
  if (mustAsk) return sandboxHolds === true ? 2 : 3;
  return verdict === 'ask' ? 1 : 0;
}

/** Stops parsing a line that can't be judged, so that the line never runs. */
export class UnreadableLine extends ToolError {
  readonly sentence: Phrase;

  constructor(code: 'INVALID_ARGUMENTS' | 'COMMAND_NOT_ALLOWED', sentence: Phrase) {
    super(code, englishText(sentence), code === 'INVALID_ARGUMENTS' ? { field: 'command' } : undefined);
    this.sentence = sentence;
  }
}

/** A shell would reject the line: its author can correct it, and no permission would help. */
export function invalidLine(sentence: Phrase): UnreadableLine {
  return new UnreadableLine('INVALID_ARGUMENTS', sentence);
}

export function deniedLine(sentence: Phrase): UnreadableLine {
  return new UnreadableLine('COMMAND_NOT_ALLOWED', sentence);
}

// How a wrapper passes the program that it starts on to be judged.
export type JudgeInner = (words: readonly Argument[]) => Judgement;
