// Carries out a planned command and says how it ended. What it changed is recorded however that was.
import { type Effect, ToolError } from '@codelab/protocol';
import { exitCode } from '../process/exit-code.ts';
import type { HeldBack } from '../process/held-back.ts';
import { excessError } from '../process/limit-family.ts';
import { type Ended, runProcess } from '../process/run-process.ts';
import { outputFileOf } from '../process/spill-file.ts';
import type { Ran, RunContext } from '../tool/define-tool.ts';
import { newSlotId } from '../workspace/change.ts';
import { FailedWithEffects, fault } from '../workspace/fault.ts';
import { launch } from './launch.ts';
import { openCwd, type PreparedCommand } from './plan-command.ts';
import { type CommandOutput, reportOutput } from './report-output.ts';

const unchecked =
  'It could not be seen whether it left a repository, hooks or settings that programs run. Look before you use git here.';
const timedOutCode = 124;
// What timers can count to.
const longest = 2_147_483_647;

export async function runCommand(
  argv: readonly string[],
  prepared: PreparedCommand,
  timeoutMs: number | undefined,
  context: RunContext,
): Promise<Ran<CommandOutput>> {
  const work = (): Promise<Ended> => runHere(argv, prepared, timeoutMs, context);
  const { ended, effects, heldBack, notes } = prepared.isReadOnly
    ? { ended: await work(), effects: [], heldBack: [], notes: [] }
    : await watched(work, prepared.writes, context);
  const more = {
    ...(heldBack.length === 0 ? {} : { held_back: heldBack }),
    ...(notes.length === 0 ? {} : { notes }),
  };
  const failure = failureOf(ended, context);
  if (failure !== undefined) throw new FailedWithEffects(withHeld(failure, more), effects);
  return { data: { ...outputOf(ended), ...more }, effects };
}

type Watched = { ended: Ended; effects: Effect[]; heldBack: HeldBack[]; notes: string[] };
type Told = Pick<CommandOutput, 'held_back' | 'notes'>;

/** What was held back is told however the command ended. */
function withHeld(failure: ToolError, { held_back, notes }: Told): ToolError {
  if (held_back === undefined) return failure;
  const { code, message, details } = failure;
  return new ToolError(code, `${message} ${notes?.[0] ?? ''}`.trim(), { ...details, held_back });
}

async function watched(
  work: () => Promise<Ended>,
  writes: readonly string[],
  context: RunContext,
): Promise<Watched> {
  const { watchTree } = await import('./watch-tree.ts');
  // What a cancelled command has changed is to be known, too.
  const watch = await watchTree({ ...context, signal: new AbortController().signal });
  const ended = await work().catch(async (error: unknown) => {
    await watch.effects({ activity: undefined, writes }).catch(() => undefined);
    throw error;
  });
  try {
    return { ended, ...(await watch.effects({ activity: ended.activity, writes })) };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const note = `What it changed could not be recorded for undo: ${why}`;
    return { ended, effects: [], heldBack: [], notes: !context.isAsked ? [note, unchecked] : [note] };
  }
}

async function runHere(
  argv: readonly string[],
  prepared: PreparedCommand,
  timeoutMs: number | undefined,
  context: RunContext,
): Promise<Ended> {
  const { limits, processes, signal, closing, home, session, slot, workspace } = context;
  using cwd = openCwd(prepared.cwd, context);
  using reporter = reportOutput((said) => context.report({ ...said, exit_code: null, timed_out: false }));
  return await runProcess({
    ...launch(argv, prepared, cwd, context),
    input: prepared.input,
    pipes: processes.children.pipes,
    guard: processes.children.guard,
    // How long a call may take at all is in the signal.
    timeoutMs: Math.min(timeoutMs ?? longest, longest),
    graceMs: limits.killGraceMs,
    signal: AbortSignal.any([signal, closing]),
    outputBytes: limits.outputBytes,
    outputFileBytes: limits.outputFileBytes,
    outputFile: outputFileOf(home, session, slot || newSlotId()),
    watched: prepared.isReadOnly ? undefined : workspace.root.real,
    onBytes: reporter.onBytes,
  });
}

function failureOf({ stop, cause, outputFile }: Ended, { limits }: RunContext): ToolError | undefined {
  switch (stop) {
    case 'flood':
      return new ToolError(
        'OUTPUT_SIZE_EXCEEDED',
        `The command printed more than ${limits.outputFileBytes} bytes and was stopped. Make it print less.`,
        { limit: limits.outputFileBytes, ...(outputFile === undefined ? {} : { output_file: outputFile }) },
      );
    case 'disk':
      return fault(cause, 'the output of the command');
    case 'cancelled':
      return new ToolError('CANCELLED', 'The command was cancelled and has been stopped.');
    case 'processes':
    case 'memoryBytes':
    case 'cpuMs':
      return excessError(stop, limits);
    case 'timeout':
    case undefined:
      return undefined;
  }
}

function outputOf({ stop, code, signal, ...ended }: Ended): CommandOutput {
  const timedOut = stop === 'timeout';
  return {
    stdout: ended.stdout,
    stderr: ended.stderr,
    exit_code: timedOut ? timedOutCode : exitCode({ code, signal }),
    duration_ms: ended.durationMs,
    timed_out: timedOut,
    truncated: ended.truncated,
    ...(ended.outputFile === undefined ? {} : { output_file: ended.outputFile }),
    stdout_bytes: ended.stdoutBytes,
    stderr_bytes: ended.stderrBytes,
  };
}
