// Runs a planned command and reports how it ended. What it changed is recorded in every case.
import { accessSync, constants } from 'node:fs';
import { type Effect, isLossNote, longestTimerMs, sandboxCause, ToolError } from '@codelab/protocol';
import { excessError } from '../process/family/limit-family.ts';
import type { NoteSpan } from '../process/family/watch-family.ts';
import type { HeldBack } from '../process/held-back.ts';
import { type ProcessResult, runProcess } from '../process/run-process.ts';
import { exitCode } from '../process/spawn-child.ts';
import { outputPathOf } from '../process/spill-file.ts';
import type { HostGate } from '../sandbox/host-gate.ts';
import { askedName, noteSize, openSessionTmp, type SessionTmp, sessionTmp } from '../sandbox/session-tmp.ts';
import type { RunContext, ToolRunResult } from '../tool/define-tool.ts';
import { newSlotId } from '../workspace/commit/change.ts';
import { errno, FailedWithEffects, fault } from '../workspace/fault.ts';
import { launch } from './launch.ts';
import { openCwd, type PreparedCommand } from './plan-command.ts';
import { type CommandReport, reportOutput } from './report-output.ts';
import { sandboxNotes } from './sandbox-notes.ts';

const timedOutCode = 124;

export async function runPlannedCommand(
  argv: readonly string[],
  prepared: PreparedCommand,
  timeoutMs: number | undefined,
  context: RunContext,
): Promise<ToolRunResult<CommandReport>> {
  const refused = new Set<string>();
  const work = (watch?: CommandWatch): Promise<ProcessResult> =>
    runHere({ argv, prepared, timeoutMs, watch, refused }, context);
  const { ended, effects, heldBack, notes, notRecorded } = prepared.isReadOnly
    ? { ended: await work(), effects: [], heldBack: [], notes: [...prepared.outputNotes], notRecorded: 0 }
    : await watched(work, prepared.writes, context);
  if (!prepared.isReadOnly) context.later(noteSize(tmpOf(context), context.closing));
  const caused = sandboxNotes(outputOf(ended), {
    confinement: prepared.confinement,
    isUnasked: !context.isAsked || prepared.mustHold,
    hidden: context.isAsked ? [] : hiddenIn(prepared, context),
    isWorkspaceReadOnly: () => isReadOnly(context.workspace.root.real),
  });
  const heldFields = {
    ...(heldBack.length === 0 ? {} : { held_back: heldBack }),
    ...(notRecorded === 0 ? {} : { not_recorded: notRecorded }),
    ...(notes.length + caused.length + refused.size === 0
      ? {}
      : { notes: [...refusedHosts(refused), ...caused, ...notes] }),
  };
  const failure = failureOf(ended, context);
  if (failure !== undefined) throw new FailedWithEffects(withHeld(failure, heldFields), effects);
  return { data: { ...outputOf(ended), ...heldFields }, effects };
}

function isReadOnly(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return false;
  } catch (error) {
    return errno(error) === 'EROFS';
  }
}

type CommandWatch = { onSpan: NoteSpan; report: string | undefined };
type WatchedRun = {
  ended: ProcessResult;
  effects: Effect[];
  heldBack: HeldBack[];
  notes: string[];
  notRecorded: number;
};
type ResultNotes = Pick<CommandReport, 'held_back' | 'not_recorded' | 'notes'>;

/** Held-back files, and what undo can't bring back, are reported however the command ended. */
function withHeld(failure: ToolError, { held_back, not_recorded, notes = [] }: ResultNotes): ToolError {
  const lossNotes = notes.filter(isLossNote);
  if (held_back === undefined && lossNotes.length === 0) return failure;
  const { code, message, details } = failure;
  const heldNotes = held_back === undefined ? [] : notes.slice(0, 1);
  return new ToolError(code, [message, ...heldNotes, ...lossNotes].join(' '), {
    ...details,
    ...(held_back && { held_back }),
    ...(not_recorded && { not_recorded }),
    ...(lossNotes.length > 0 && { notes: lossNotes }),
  });
}

async function watched(
  work: (watch: CommandWatch) => Promise<ProcessResult>,
  writes: readonly string[],
  context: RunContext,
): Promise<WatchedRun> {
  const { watchTree } = await import('./watch-tree.ts');
  // The changes of a cancelled command must be known too.
  const watch = await watchTree({ ...context, signal: new AbortController().signal }, { writes });
  const ended = await work(watch).catch(async (error: unknown) => {
    await watch.effects({ activity: undefined, writes }).catch(() => undefined);
    throw error;
  });
  try {
    return { ended, ...(await watch.effects({ activity: ended.activity, writes })) };
  } catch (error) {
    const { unchecked } = await import('../held-back/hold-back.ts');
    const problem = error instanceof Error ? error.message : String(error);
    const note = `What it changed could not be recorded for undo: ${problem}`;
    const notes = context.isAsked ? [note] : [note, unchecked];
    return { ended, effects: [], heldBack: [], notes, notRecorded: 0 };
  }
}

function hiddenIn({ held, leftOut }: PreparedCommand, { workspace }: RunContext): string[] {
  const below = `${workspace.root.real}/`;
  const hidden = (held?.places.hidden ?? []).map((path) => path.replace(below, ''));
  return [...hidden, ...leftOut];
}

function tmpOf({ home, session, workspace }: RunContext): SessionTmp {
  return sessionTmp({ home, session, root: workspace.root.real });
}

type Line = {
  argv: readonly string[];
  prepared: PreparedCommand;
  timeoutMs: number | undefined;
  watch: CommandWatch | undefined;
  /** Hosts that the command requested and that are not on the list. */
  refused: Set<string>;
};

function refusedHosts(refused: ReadonlySet<string>): string[] {
  if (refused.size === 0) return [];
  const names = [...refused].slice(0, 5).join(', ');
  return [
    `${sandboxCause} it could not reach ${names}: only hosts in network_hosts of your config.json are allowed. Add the host there, or do without it.`,
  ];
}

/** The proxy to the granted hosts, while the command runs. */
async function gateOf(
  { confinement }: PreparedCommand,
  refused: Set<string>,
  context: RunContext,
): Promise<HostGate | undefined> {
  if (confinement.hosts === undefined || !context.isAsked) return undefined;
  const { openHostGate } = await import('../sandbox/host-gate.ts');
  const { asked } = openSessionTmp(
    { home: context.home, session: context.session, root: context.workspace.root.real },
    { mostBytes: context.limits.tmpBytes, later: context.later },
  );
  const maxHosts = 20;
  const onRefused = (host: string): void => {
    if (refused.size < maxHosts) refused.add(host);
  };
  return await openHostGate(confinement.hosts, { folder: asked, seenAs: `/tmp/${askedName}`, onRefused });
}

async function runHere(
  { argv, prepared, timeoutMs, watch, refused }: Line,
  context: RunContext,
): Promise<ProcessResult> {
  const { limits, processes, signal, closing, home, session, slot, workspace } = context;
  using cwd = openCwd(prepared.cwd, context);
  using reporter = reportOutput((report) => context.report({ ...report, exit_code: null, timed_out: false }));
  await using gate = await gateOf(prepared, refused, context);
  return await runProcess({
    ...launch(argv, prepared, cwd, context, { gate, report: watch?.report }),
    input: prepared.input,
    pipes: processes().children.pipes,
    guard: processes().children.guard,
    // The signal carries the time limit of the whole call.
    timeoutMs: Math.min(timeoutMs ?? longestTimerMs, longestTimerMs),
    graceMs: limits.killGraceMs,
    signal: AbortSignal.any([signal, closing]),
    outputBytes: limits.outputBytes,
    outputFileBytes: limits.outputFileBytes,
    outputFile: outputPathOf(home, session, slot || newSlotId()),
    watched: prepared.isReadOnly ? undefined : workspace.root.real,
    onSpan: watch?.onSpan,
    onBytes: reporter.onBytes,
  });
}

function failureOf(
  { stop, cause, outputFile }: ProcessResult,
  { limits }: RunContext,
): ToolError | undefined {
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
    case 'tmpBytes':
      return excessError(stop, limits);
    case 'timeout':
    case undefined:
      return undefined;
  }
}

function outputOf({ stop, code, signal, ...ended }: ProcessResult): CommandReport {
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
