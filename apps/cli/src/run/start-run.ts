// A headless turn from its options on: limits, output and schema are read before anything is opened, and a turn that is ended while its
// prompt is still being read ends like any other.
import { isatty } from 'node:tty';
import { type ComposeOptions, compose } from '@codelab/server';
import type { Said } from '@codelab/server/agent';
import { userName } from '../approval/user-name.ts';
import type { Given } from '../command-line/define-command.ts';
import { writeText } from '../output/write-text.ts';
import { createInterruption } from '../tool-call/interruption.ts';
import { chooseOutput } from './choose-output.ts';
import { type headlessOptions, readHeadless } from './headless-options.ts';
import { type RunOptions, runAgent } from './run-agent.ts';
import { createTimeLimit } from './run-limits.ts';
import { stopReasons } from './stop-reason.ts';
import type { turnOptions } from './turn-options.ts';

type TurnGiven = Given<typeof turnOptions & typeof headlessOptions>['options'];

/** What differs between a new turn and one that goes on. */
type Begun = Pick<RunOptions, 'composed' | 'session' | 'said'> &
  Partial<Pick<RunOptions, 'model' | 'profile' | 'lastModel'>>;

export type Start = {
  signal: AbortSignal;
  compose(options: ComposeOptions): ReturnType<typeof compose>;
  /** What the user says, with the images that the options name. */
  said(text: string, via: string, texts?: Said['texts']): Said;
  /** Its exit code. */
  run(begun: Begun): Promise<number>;
};

export async function startRun(given: TurnGiven, begin: (start: Start) => Promise<number>): Promise<number> {
  const headless = readHeadless(given);
  const who = userName();
  const { maxTurns, maxCost, systemAppend, outputSchema, allowedTools, timeout } = headless;
  using interruption = createInterruption();
  using timeLimit = createTimeLimit(timeout, who);
  const answerCheck =
    outputSchema === undefined
      ? undefined
      : (await import('./output-schema.ts')).readOutputSchema(outputSchema);
  const common = {
    ...{ interruption, timeLimit, maxTurns, maxCost, systemAppend, answerCheck },
    effort: given.effort,
    approve: given.approve ?? (isatty(0) ? 'ask' : 'never'),
    ...chooseOutput(given.output ?? 'text', { isAnswerJson: answerCheck !== undefined }),
  };
  const signal = AbortSignal.any([interruption.signal, timeLimit.signal]);
  try {
    return await begin({
      signal,
      compose: (options) => compose({ ...options, allowedTools }),
      said: (text, via, texts = []) => ({ text, by: { who, via }, texts, images: headless.images }),
      run: (begun) => runAgent({ model: given.model, profile: given.profile, ...begun, ...common }),
    });
  } catch (error) {
    if (interruption.happened) return stopReasons.interrupted.exitCode;
    if (!timeLimit.hasPassed) throw error;
    writeText(2, `codelab: --timeout ${timeout?.text} passed before the turn began.\n`);
    return stopReasons.timeout.exitCode;
  }
}
