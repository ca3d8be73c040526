// The stop reasons of a headless turn and their exit codes: the one table of both. A test compares it with docs/headless.md.
import type { TurnResult } from '@codelab/agent';
import type { TurnEnd } from '@codelab/protocol';

export const stopReasons = {
  completed: { exitCode: 0, meaning: 'The model finished its work.' },
  failed: { exitCode: 1, meaning: 'The model could not be reached, or the turn could not be run.' },
  call_refused: {
    exitCode: 1,
    meaning: 'The model finished, but with `--approve never` at least one call was refused.',
  },
  cancelled: { exitCode: 1, meaning: 'Another client, such as the page, cancelled the turn.' },
  usage: { exitCode: 2, meaning: 'Wrong usage, or no model is chosen; nothing was run.' },
  max_turns: {
    exitCode: 3,
    meaning: '`--max-turns`, or the step limit of the profile, was reached.',
  },
  max_cost: { exitCode: 4, meaning: '`--max-cost` was reached, or the price of the model is not known.' },
  loop_detected: {
    exitCode: 5,
    meaning: 'The model made the same call over and over, with the same result.',
  },
  cut_off: { exitCode: 6, meaning: 'The reply was cut off at the model’s length limit several times.' },
  empty: { exitCode: 7, meaning: 'The model returned nothing, twice.' },
  refused: { exitCode: 8, meaning: 'The model refused, or its provider’s content filter stopped the reply.' },
  invalid_output: {
    exitCode: 9,
    meaning: 'The answer does not match `--output-schema`, even after a retry.',
  },
  unanswered: {
    exitCode: 10,
    meaning: 'An approval was not answered in the configured time; `codelab sessions resume` asks again.',
  },
  timeout: { exitCode: 124, meaning: '`--timeout` passed; the exit code is that of timeout(1).' },
  interrupted: { exitCode: 130, meaning: 'Ctrl-C, SIGTERM or SIGHUP.' },
} as const satisfies Record<string, { exitCode: number; meaning: string }>;

export type StopReason = keyof typeof stopReasons;

/** The stop reason for the end of a turn in the log. */
const byEnd: Record<TurnEnd, StopReason> = {
  completed: 'completed',
  cancelled: 'cancelled',
  failed: 'failed',
  step_limit: 'max_turns',
  cost_limit: 'max_cost',
  cut_off: 'cut_off',
  refused: 'refused',
  empty: 'empty',
  loop_detected: 'loop_detected',
  unanswered: 'unanswered',
};

type Circumstances = {
  /** A person or the system requested the end. */
  wasInterrupted: boolean;
  isOutOfTime: boolean;
  /** Calls that nobody could be asked about make the turn fail. */
  hasRefusedCalls: boolean;
  isOutputInvalid: boolean;
};

export function stopReasonOf({ end }: Pick<TurnResult, 'end'>, circumstances: Circumstances): StopReason {
  if (circumstances.wasInterrupted) return 'interrupted';
  if (end === 'cancelled' && circumstances.isOutOfTime) return 'timeout';
  if (end !== 'completed') return byEnd[end];
  if (circumstances.isOutputInvalid) return 'invalid_output';
  return circumstances.hasRefusedCalls ? 'call_refused' : 'completed';
}
