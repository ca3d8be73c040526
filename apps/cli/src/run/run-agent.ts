// A turn from the command line: the model, the session and whoever answers are put together, and the turn is run to its end.
import type { TurnResult } from '@codelab/agent';
import { type AgentSignal, type DialectName, ToolError, visibleLine } from '@codelab/protocol';
import type { Composed } from '@codelab/server';
import { openTurn, type Said, type Turn } from '@codelab/server/agent';
import { chooseAnswer } from '../approval/choose-answer.ts';
import { checkIsHere } from '../audit/check-is-here.ts';
import { UsageError } from '../command-line/define-command.ts';
import { tellOnce, writeText } from '../output/write-text.ts';
import type { Interruption } from '../tool-call/interruption.ts';
import { modelOpener } from './open-model.ts';
import type { AnswerCheck } from './output-schema.ts';
import { createRunLimits, type TimeLimit } from './run-limits.ts';
import type { OutputOptions, RunOutput } from './run-output.ts';
import { makeResult } from './run-result.ts';
import { type StopReason, stopReasonOf, stopReasons } from './stop-reason.ts';
import { createTally } from './tally.ts';
import { untrustedHooks } from './untrusted-hooks.ts';

export type RunOptions = {
  composed: Composed;
  session: string;
  model: string | undefined;
  profile: string | undefined;
  effort?: string | undefined;
  /** What the session was run with last: used when neither the user nor the profile names one. */
  lastModel?: string;
  approve: string | undefined;
  dialect?: DialectName;
  interruption: Interruption;
  timeLimit: TimeLimit;
  maxTurns?: number | undefined;
  maxCost?: number | undefined;
  systemAppend?: string | undefined;
  answerCheck?: AnswerCheck | undefined;
  /** Undefined goes on with the turn that is open. */
  said: Said | undefined;
  output(made: OutputOptions): RunOutput;
};

/** The exit code. */
export async function runAgent(options: RunOptions): Promise<number> {
  const { composed, session, interruption, timeLimit, approve } = options;
  const startedAt = performance.now();
  await checkIsHere(composed.host.log, session);
  const live = await composed.host.session(session);
  using stack = new DisposableStack();
  const tally = createTally();
  const watch: OutputOptions['watch'] = (listener) => stack.defer(live.watch(listener));
  const output = options.output({ session, root: composed.host.workspace.root.real, watch });
  const finish = (result: Checked, model: string | undefined, reason: StopReason): void => {
    stack.dispose();
    const durationMs = performance.now() - startedAt;
    output.end(makeResult({ ...result, session, model, reason, tally, durationMs }));
  };
  try {
    const signal = AbortSignal.any([interruption.signal, timeLimit.signal]);
    const turn = await open(options, { output, tally, signal });
    const model = turn.agent.model.name;
    output.opened?.(model);
    const result = await play(turn, options, signal);
    const reason = stopReasonOf(result, {
      wasInterrupted: interruption.happened,
      isOutOfTime: timeLimit.hasPassed,
      hasRefusedCalls: approve === 'never' && tally.refused > 0,
      isOutputInvalid: options.answerCheck !== undefined && result.output === undefined,
    });
    const { message = result.message } = reason === 'timeout' ? timeLimit : {};
    finish({ ...result, ...(message !== undefined && { message }) }, model, reason);
    return stopReasons[reason].exitCode;
  } catch (error) {
    const isUsage = error instanceof UsageError;
    if (output.isForPrograms && (isUsage || error instanceof ToolError)) {
      const failed = { turn: 0, end: 'failed', text: '', message: error.message } as const;
      finish(failed, undefined, isUsage ? 'usage' : 'failed');
    }
    throw error;
  }
}

type Running = { output: RunOutput; tally: ReturnType<typeof createTally>; signal: AbortSignal };

async function open(options: RunOptions, { output, tally, signal: ends }: Running): Promise<Turn> {
  const { composed, session, interruption, approve, profile, model, lastModel, dialect } = options;
  const { host, agents } = composed;
  const warn = tellOnce((problem) => writeText(2, `${visibleLine(problem)}\n`));
  warn(untrustedHooks(composed.config));
  const answer = chooseAnswer({ host, how: approve, isOneOff: false, interruption });
  const limits = createRunLimits(options);
  const emit = (signal: AgentSignal): void => {
    tally.count(signal);
    limits.count(signal);
    // By then it is known whose tools could not be listed.
    if (signal.type === 'status') warn(host.foreign?.problems() ?? []);
    output.show(signal);
    if (signal.type === 'approval')
      answer(signal.approval, ends).catch((error: unknown) => interruption.fail(error));
  };
  const appended = [options.systemAppend, options.answerCheck?.instructions];
  return await openTurn({
    host,
    agents,
    session,
    profile,
    model,
    lastModel,
    openModel: modelOpener(
      { home: host.home, root: host.workspace.root.real, effort: options.effort },
      interruption.signal,
    ),
    dialect,
    systemAppend: appended.filter((text) => text !== undefined).join('\n\n'),
    limit: limits.stop,
    emit,
    notice: (problem) => warn([problem]),
  });
}

type Checked = TurnResult & { output?: { value: unknown } };

/** The turn, and with --output-schema a second one when the answer of the first does not match. */
async function play(turn: Turn, options: RunOptions, signal: AbortSignal): Promise<Checked> {
  const { said, answerCheck } = options;
  const first = await (said === undefined ? turn.resume(signal) : turn.start(said, signal));
  if (answerCheck === undefined || first.end !== 'completed') return first;
  const found = answerCheck.check(first.text);
  if ('value' in found) return { ...first, output: found };
  const { retryText } = await import('./output-schema.ts');
  const by = said?.by ?? { who: 'codelab', via: '--output-schema' };
  const second = await turn.start({ text: retryText(found.problem), by }, signal);
  if (second.end !== 'completed') return second;
  const again = answerCheck.check(second.text);
  if ('value' in again) return { ...second, output: again };
  return { ...second, message: `The answer does not match the schema: ${again.problem}.` };
}
