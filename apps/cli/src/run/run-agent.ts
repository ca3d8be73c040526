// A turn from the command line: puts the model, the session and the approval handler together, and runs the turn to its end.
import { isatty } from 'node:tty';
import type { TurnResult } from '@codelab/agent';
import { type AgentSignal, type DialectName, ToolError, visibleLine } from '@codelab/protocol';
import type { Composed } from '@codelab/server';
import { type OpenTurn, openTurn, type TurnMessage } from '@codelab/server/agent';
import { approvalHandler } from '../approval/approval-handler.ts';
import { createApprovalLine } from '../approval/approval-line.ts';
import { checkWorkspace } from '../audit/find-sessions.ts';
import { UsageError } from '../command-line/define-command.ts';
import { type Interruption, writeText } from '../command-line/process.ts';
import { expectedFault } from '../report-error.ts';
import type { OutputOptions, RunOutput } from './output.ts';
import type { AnswerCheck } from './output-schema.ts';
import { modelOpener, tellOnce, untrustedHooks } from './prepare-turn.ts';
import { createRunLimits, type TimeLimit } from './run-limits.ts';
import { makeResult } from './run-result.ts';
import { type StopReason, stopReasonOf, stopReasons } from './stop-reason.ts';
import { createTurnTally } from './tally.ts';

export type RunOptions = {
  composed: Composed;
  session: string;
  model: string | undefined;
  profile: string | undefined;
  effort?: string | undefined;
  /** The model and mode of the session's latest turn: used when neither the user nor the profile names one. */
  lastModel?: string;
  approve: string | undefined;
  dialect?: DialectName;
  interruption: Interruption;
  timeLimit: TimeLimit;
  maxTurns?: number | undefined;
  maxCost?: number | undefined;
  systemAppend?: string | undefined;
  answerCheck?: AnswerCheck | undefined;
  /** Undefined continues the open turn. */
  message: TurnMessage | undefined;
  output(options: OutputOptions): RunOutput;
};

/** The exit code. */
export async function runAgent(options: RunOptions): Promise<number> {
  const { composed, session, interruption, timeLimit, approve } = options;
  const startedAt = performance.now();
  await checkWorkspace(composed.host.log, session, composed.host.workspace.root.real);
  const live = await composed.host.session(session);
  using stack = new DisposableStack();
  const tally = createTurnTally();
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
    const expected = isUsage || error instanceof ToolError ? error : expectedFault(error);
    if (output.isForPrograms && expected !== undefined) {
      const failed = { turn: 0, end: 'failed', text: '', message: expected.message } as const;
      finish(failed, undefined, isUsage ? 'usage' : 'failed');
    }
    throw error;
  }
}

type Running = { output: RunOutput; tally: ReturnType<typeof createTurnTally>; signal: AbortSignal };

async function open(options: RunOptions, { output, tally, signal: ends }: Running): Promise<OpenTurn> {
  const { composed, session, interruption, approve, profile, model, lastModel, dialect } = options;
  const { host, agents } = composed;
  const warn = tellOnce((problem) => writeText(2, `${visibleLine(problem)}\n`));
  warn(untrustedHooks(composed.config));
  const answer = approvalHandler({ host, how: approve, isOneOff: false, interruption });
  const questions = createApprovalLine({
    ask: (approvals) => answer(approvals, ends).catch((error: unknown) => interruption.fail(error)),
  });
  const limits = createRunLimits(options);
  const emit = (signal: AgentSignal): void => {
    tally.count(signal);
    limits.count(signal);
    // Only now is it known which MCP servers could not list their tools.
    if (signal.type === 'status') warn(host.foreign?.problems() ?? []);
    output.show(signal);
    if (signal.type === 'approval') questions.add(signal.approval);
    if (signal.type === 'decided') questions.settle(signal.approvalId);
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
    // Where approvals are asked at a terminal, a user is there to answer.
    isAttended: approve === 'ask' && isatty(0),
    emit,
    notice: (problem) => warn([problem]),
  });
}

type Checked = TurnResult & { output?: { value: unknown } };

/** Runs the turn, and with --output-schema a second one when the first answer does not match. */
async function play(turn: OpenTurn, options: RunOptions, signal: AbortSignal): Promise<Checked> {
  const { message, answerCheck } = options;
  const first = await (message === undefined ? turn.resume(signal) : turn.start(message, signal));
  if (answerCheck === undefined || first.end !== 'completed') return first;
  const checked = answerCheck.check(first.text);
  if ('value' in checked) return { ...first, output: checked };
  const { schemaRetryText } = await import('./output-schema.ts');
  const by = message?.by ?? { who: 'codelab', via: '--output-schema' };
  const second = await turn.start({ text: schemaRetryText(checked.problem), by }, signal);
  if (second.end !== 'completed') return second;
  const secondCheck = answerCheck.check(second.text);
  if ('value' in secondCheck) return { ...second, output: secondCheck };
  return { ...second, message: `The answer does not match the schema: ${secondCheck.problem}.` };
}
