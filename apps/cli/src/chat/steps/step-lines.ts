// A call as the chat shows it: while it runs, one line with its time and latest output; afterwards, its result. A command that failed
// shows the end of its output, one that succeeded only the last lines.
import {
  lossNotes,
  type Outcome,
  outsideCall,
  type Plan,
  sandboxCauses,
  type TestCounts,
  type ToolCall,
  testCounts,
  visible,
  visibleLine,
} from '@codelab/protocol';
import { diffText } from '../../approval/diff-text.ts';
import type { Paint } from '../../output/paint.ts';
import { shownLine } from '../../output/shown-text.ts';
import { cutToWidth, displayWidth, wrapText } from '../../output/text-width.ts';
import { durationText } from '../../output/units.ts';
import { callLine } from '../../run/output.ts';
import { linkedText } from '../markdown/path-links.ts';
import { failedTestLines, type StepSetting } from './failed-test-lines.ts';

export type CallStep = {
  call: ToolCall;
  state: 'running' | 'waiting';
  /** The end of the output so far. */
  output: string;
  plan: Plan | undefined;
  /** A person has seen the plan, so it is not shown again. */
  wasAsked: boolean;
  /** When the call started, or was decided. */
  since: number;
};

const successRows = 3;
const failureRows = 12;
const whyRows = 4;
const diffRows = 24;
const keptOutput = 4000;
const shortResult = 90;

export function newStep(call: ToolCall): CallStep {
  return { call, state: 'running', output: '', plan: undefined, wasAsked: false, since: Date.now() };
}

export function withProgress(step: CallStep, progress: Record<string, unknown>): CallStep {
  const printed = [progress.stdout, progress.stderr].filter((text) => typeof text === 'string').join('');
  const output = 'stdout' in progress || 'stderr' in progress ? step.output + printed : toldBy(progress);
  return { ...step, output: output.slice(-keptOutput) };
}

export function runningLine(step: CallStep, spinner: string, { columns, paint }: StepSetting): string {
  const isWaiting = step.state === 'waiting';
  const indent = indentOf(step.call);
  const width = columns - indent.length - 2;
  const time = isWaiting
    ? 'waits for your decision'
    : durationText(Math.floor((Date.now() - step.since) / 1000) * 1000).replace('.0', '');
  const last = visible(step.output).trimEnd().split('\n').at(-1)?.trim() ?? '';
  const facts = ` · ${time}`;
  const title = cutToWidth(
    stepTitle(step.call, step.plan),
    Math.max(20, last === '' ? width - facts.length : Math.floor(width * 0.5)),
  );
  const free = width - displayWidth(title) - facts.length - 3;
  const latest = last === '' || free < 8 ? '' : ` · ${cutToWidth(last, free)}`;
  const sign = paint(isWaiting ? 'yellow' : 'cyan', isWaiting ? '▲' : spinner);
  return `${indent}${sign} ${paint('bold', title)}${paint('dim', facts + latest)}`;
}

export function endedLines(step: CallStep, outcome: Outcome, text: string, setting: StepSetting): string[] {
  const { columns, paint, linkOf } = setting;
  const indent = indentOf(step.call);
  const title = stepTitle(step.call, step.plan);
  const room = columns - indent.length - 2;
  if (outcome.status !== 'completed')
    return [...failedLines(title, outcome, { indent, room, paint }), ...outputSoFar(step, setting)];
  const code = outcome.data.exit_code;
  const isBad = typeof code === 'number' && code !== 0;
  const facts = factsOf(step, outcome, text);
  const width = displayWidth(facts.map(([fact]) => ` · ${fact}`).join(''));
  const shownTitle = cutToWidth(title, Math.max(20, room - width));
  const tail = facts.map(([fact, style]) => paint('dim', ' · ') + paint(style, fact)).join('');
  const tests = isBad ? failedTestLines(printedBy(outcome.data), setting) : [];
  // For tests that passed, the counts are enough.
  const rows = isBad ? failureRows : facts.some(([, style]) => style === 'green') ? 0 : successRows;
  return [
    `${indent}${paint(isBad ? 'red' : 'green', isBad ? '✖' : '✔')} ${paint('bold', linkedText(shownTitle, linkOf))}${tail}`,
    ...(tests.length === 0 && typeof code === 'number' && rows > 0
      ? outputLines(printedBy(outcome.data), rows, setting)
      : tests),
    ...sandboxLines(step.call, outcome, setting),
    ...heldLines(outcome.data, setting),
    ...lossNotes(outcome).flatMap((note) => warningLines(note, setting)),
    ...(step.wasAsked ? [] : changeLines(step.plan, setting)),
  ];
}

/** The last lines that a command printed before it was cancelled, or its time was over. */
function outputSoFar({ call, output }: CallStep, setting: StepSetting): string[] {
  const isCommand = typeof call.args.command === 'string';
  return isCommand && output.trim() !== '' ? outputLines(output, failureRows, setting) : [];
}

type Failed = Exclude<Outcome, { status: 'completed' }>;

function failedLines(
  title: string,
  { status, error }: Failed,
  { indent, room, paint }: { indent: string; room: number; paint: Paint },
): string[] {
  const message = visible(error.message).trim();
  const reason = status === 'failed' ? message : `${status}: ${message}`;
  const sign = `${indent}${paint('red', '✖')} `;
  if (!reason.includes('\n') && displayWidth(title) + displayWidth(reason) + 3 <= room)
    return [`${sign}${paint('bold', title)}${paint('dim', ' · ')}${paint('red', reason)}`];
  const rows = reason.split('\n').flatMap((line) => wrapText(line, Math.max(20, room)));
  const shownRows = rows.slice(0, whyRows).map((row) => row.trimEnd());
  if (rows.length > whyRows) shownRows[whyRows - 1] = cutToWidth(`${shownRows[whyRows - 1]} …………`, room);
  return [
    `${sign}${paint('bold', cutToWidth(title, room))}`,
    ...shownRows.map((line) => `${indent}  ${paint('red', line)}`),
  ];
}

function indentOf({ agent }: ToolCall): string {
  return agent === undefined ? '' : '  ↳ ';
}

type Fact = [text: string, style: 'dim' | 'red' | 'green'];

function factsOf(step: CallStep, outcome: Extract<Outcome, { status: 'completed' }>, text: string): Fact[] {
  const { diff } = step.plan ?? {};
  const { data, changedBy } = outcome;
  const code = data.exit_code;
  const durationMs = typeof data.duration_ms === 'number' ? data.duration_ms : Date.now() - step.since;
  const facts: Fact[] = [];
  if (diff !== undefined && diff.text !== '') facts.push([`+${diff.additions} −${diff.deletions}`, 'dim']);
  if (typeof code === 'number') {
    const counts = testCounts(printedBy(data));
    if (counts !== undefined) facts.push(...countFacts(counts));
    facts.push([data.timed_out === true ? 'timed out' : `exit code ${code}`, code === 0 ? 'dim' : 'red']);
  }
  if (facts.length === 0 && text.trim() !== '') facts.push([sizeOf(text), 'dim']);
  if (changedBy !== undefined)
    facts.push([changedBy.kind === 'hunks' ? 'only the hunks you took' : 'as you edited it', 'dim']);
  if (durationMs >= 1000) facts.push([durationText(durationMs), 'dim']);
  return facts;
}

function countFacts({ passed, failed, skipped }: TestCounts): Fact[] {
  return [
    ...(failed > 0 ? ([[`${failed} failed`, 'red']] as Fact[]) : []),
    [`${passed} passed`, failed > 0 ? 'dim' : 'green'],
    ...(skipped > 0 ? ([[`${skipped} skipped`, 'dim']] as Fact[]) : []),
  ];
}

function sizeOf(text: string): string {
  const lines = text.trimEnd().split('\n');
  const [first = ''] = lines;
  return lines.length === 1 && first.length <= shortResult ? visibleLine(first) : `${lines.length} lines`;
}

function printedBy({ stdout, stderr }: Record<string, unknown>): string {
  return [stdout, stderr].filter((text) => typeof text === 'string' && text !== '').join('\n');
}

/** Files held back after a command are listed in full, with what to do about them. */
function heldLines({ held_back, notes }: Record<string, unknown>, { columns, paint }: StepSetting): string[] {
  const [firstNote] = held_back !== undefined && Array.isArray(notes) ? notes.map(String) : [];
  return firstNote === undefined ? [] : warningLines(firstNote, { columns, paint });
}

/** The sandbox failures of a command, and how to run it outside. The rest of each note is advice for the model. */
function sandboxLines(call: ToolCall, outcome: Outcome, setting: StepSetting): string[] {
  if (outsideCall(call, outcome) === undefined) return [];
  const causes = sandboxCauses(outcome).map((cause) => cause.split('. ')[0] ?? cause);
  return [
    ...causes.flatMap((cause) => warningLines(cause, setting)),
    setting.paint('dim', '  !! runs it outside the sandbox, after asking you'),
  ];
}

function warningLines(text: string, { columns, paint }: StepSetting): string[] {
  const rows = wrapText(visibleLine(text), Math.max(20, columns - 4));
  return rows.map((line) => `  ${paint('yellow', line.trimEnd())}`);
}

function outputLines(output: string, rows: number, { columns, paint, linkOf }: StepSetting): string[] {
  const lines = visible(output).trimEnd().split('\n');
  const hidden = lines.length - rows;
  const shownLines = lines.slice(-rows).filter((line) => line !== '' || lines.length > 1);
  const overflowNote = `  │ … ${hidden} more ${hidden === 1 ? 'line' : 'lines'} above · Ctrl-O shows all`;
  return [
    ...(hidden > 0 ? [paint('dim', cutToWidth(overflowNote, columns))] : []),
    ...shownLines
      .map((line) => cutToWidth(line.replaceAll('\t', '    '), columns - 5))
      .map((line) => paint('dim', `  │ ${linkedText(line, linkOf)}`)),
  ];
}

function changeLines(plan: Plan | undefined, { columns, paint }: StepSetting): string[] {
  const { diff } = plan ?? {};
  if (diff === undefined || diff.text === '') return [];
  const lines = diffText(diff, { columns: Math.max(20, columns - 2), paint, isNamed: true });
  const hidden = lines.length - diffRows;
  return [
    ...lines.slice(0, diffRows).map((line) => `  ${line}`),
    ...(hidden > 0 ? [paint('dim', `  … ${hidden} more lines · Ctrl-O shows all`)] : []),
  ];
}

function toldBy(progress: Record<string, unknown>): string {
  return Object.entries(progress)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`)
    .join(', ');
}

/** A call in a few words, by its effect instead of its tool's name: a command as typed, a change by its plan. */
export function stepTitle(call: ToolCall, plan: Plan | undefined): string {
  const { command, description } = call.args;
  if (typeof command === 'string') return `$ ${shownLine(command.trim())}`;
  // A sub-agent's task.
  if (typeof description === 'string') return shownLine(`${call.tool}: ${description}`);
  const isChange = plan?.touches.some(({ access }) => access !== 'read') ?? false;
  // The counts follow, in colour.
  return isChange ? shownLine((plan?.summary ?? '').replace(/ \(\+\d+ −\d+ lines\)$/, '')) : callLine(call);
}
