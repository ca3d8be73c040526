// Starts a headless turn: reads limits, output and schema before anything is opened. A turn that is ended while its prompt is still
// being read ends like any other.
import { isatty } from 'node:tty';
import { userName } from '@codelab/runtime';
import { type ComposeOptions, compose } from '@codelab/server';
import type { TurnMessage } from '@codelab/server/agent';
import type { ParsedCommandLine } from '../command-line/define-command.ts';
import { createInterruption, writeText } from '../command-line/process.ts';
import { openTty } from '../terminal/open-terminal.ts';
import { type headlessOptions, readHeadless } from './headless-options.ts';
import { backendOnlyOutput, jsonOutput, streamJsonOutput, textOutput } from './output.ts';
import { type RunOptions, runAgent } from './run-agent.ts';
import { createTimeLimit } from './run-limits.ts';
import { stopReasons } from './stop-reason.ts';
import type { turnOptions } from './turn-options.ts';

type TurnGiven = ParsedCommandLine<typeof turnOptions & typeof headlessOptions>['options'];

/** The differences between a new turn and a resumed one. */
type Begun = Pick<RunOptions, 'composed' | 'session' | 'message'> &
  Partial<Pick<RunOptions, 'model' | 'profile' | 'lastModel'>>;

export type RunStarter = {
  signal: AbortSignal;
  compose(options: ComposeOptions): ReturnType<typeof compose>;
  /** The user's message, with the images that the options name. */
  messageOf(text: string, via: string, texts?: TurnMessage['texts']): TurnMessage;
  /** Returns the exit code. */
  run(options: Begun): Promise<number>;
};

export async function startRun(
  flags: TurnGiven,
  begin: (start: RunStarter) => Promise<number>,
): Promise<number> {
  const headless = readHeadless(flags);
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
    effort: flags.effort,
    approve: flags.approve ?? (isatty(0) ? 'ask' : 'never'),
    ...chooseOutput(flags.output ?? 'text', { isAnswerJson: answerCheck !== undefined }),
  };
  const signal = AbortSignal.any([interruption.signal, timeLimit.signal]);
  try {
    return await begin({
      signal,
      async compose(options) {
        if (common.approve === 'ask' && (flags.output ?? 'text') === 'text') await askFirst(options);
        // A session keeps its mode, unless another one is named for this turn.
        const hasSessionModes = options.mode === undefined;
        return await compose({ ...options, allowedTools, isForPerson: true, hasSessionModes });
      },
      messageOf: (text, via, texts = []) => ({ text, by: { who, via }, texts, images: headless.images }),
      run: (runOptions) => runAgent({ model: flags.model, profile: flags.profile, ...runOptions, ...common }),
    });
  } catch (error) {
    if (interruption.happened) return stopReasons.interrupted.exitCode;
    if (!timeLimit.hasPassed) throw error;
    writeText(2, `codelab: --timeout ${timeout?.text} passed before the turn began.\n`);
    return stopReasons.timeout.exitCode;
  }
}

/** At a terminal, the first turn in a folder asks how agents should work in it. */
async function askFirst(places: ComposeOptions): Promise<void> {
  using terminal = openTty({ isInsisted: false });
  if (terminal !== undefined) await (await import('../mode/first-start.ts')).askMode(terminal, places);
}

// Chooses the form of output; in the stream of seed 001 (docs/origins.md) the model also uses that seed's tool names.

/** `isAnswerJson`: the answer must match a schema, so it is printed only when it does. */
function chooseOutput(
  form: string,
  { isAnswerJson }: { isAnswerJson: boolean },
): Pick<RunOptions, 'output' | 'dialect'> {
  switch (form) {
    case 'json':
      return { output: jsonOutput };
    case 'stream-json':
      return { output: streamJsonOutput };
    case 'backend_only':
      return { output: backendOnlyOutput, dialect: 'kode' };
    default:
      return { output: () => textOutput({ isAnswerJson }) };
  }
}
