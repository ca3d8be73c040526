// A call as the chat shows it: while it goes on, a line with its latest output; once it has ended, what came of it.
import { type Outcome, type Plan, type ToolCall, visible, visibleLine } from '@codelab/protocol';
import { diffText } from '../../approval/diff-text.ts';
import { cutToWidth } from '../../output/cut-to-width.ts';
import { displayWidth } from '../../output/display-width.ts';
import type { Paint } from '../../output/paint.ts';
import { wrapText } from '../../output/wrap-text.ts';
import { callLine } from '../../run/call-line.ts';

export type Card = {
  call: ToolCall;
  state: 'running' | 'waiting';
  /** The end of what it has printed so far. */
  output: string;
  plan: Plan | undefined;
  /** A human has seen its plan: it need not be shown once more. */
  wasAsked: boolean;
  /** When it began, or was decided on. */
  since: number;
};

export type CardSetting = { columns: number; paint: Paint };

const liveRows = 5;
const outputRows = 8;
const whyRows = 6;
const diffRows = 40;
const keptOutput = 4000;
const shortResult = 90;

export function newCard(call: ToolCall): Card {
  return { call, state: 'running', output: '', plan: undefined, wasAsked: false, since: Date.now() };
}

export function withProgress(card: Card, progress: Record<string, unknown>): Card {
  const printed = [progress.stdout, progress.stderr].filter((text) => typeof text === 'string').join('');
  const told = 'stdout' in progress || 'stderr' in progress ? card.output + printed : toldBy(progress);
  return { ...card, output: told.slice(-keptOutput) };
}

export function runningLines(card: Card, spinner: string, { columns, paint }: CardSetting): string[] {
  const isWaiting = card.state === 'waiting';
  const sign = isWaiting ? '▲' : spinner;
  const width = columns - indentOf(card.call).length - 2;
  const title = cutToWidth(callLine(card.call) + (isWaiting ? ' · waits for a decision' : ''), width);
  const head = `${indentOf(card.call)}${paint(isWaiting ? 'yellow' : 'cyan', sign)} ${paint('bold', title)}`;
  return [head, ...outputLines(card.output, liveRows, { columns, paint })];
}

export function endedLines(card: Card, outcome: Outcome, text: string, setting: CardSetting): string[] {
  const { columns, paint } = setting;
  const indent = indentOf(card.call);
  const title = callLine(card.call);
  if (outcome.status !== 'completed') {
    const why = `${outcome.status}: ${visibleLine(outcome.error.message)}`;
    return [
      `${indent}${paint('red', '✖')} ${paint('bold', cutToWidth(title, columns - indent.length - 2))}`,
      ...wrapText(why, Math.max(20, columns - indent.length - 2))
        .slice(0, whyRows)
        .map((line) => `${indent}  ${paint('red', line.trimEnd())}`),
    ];
  }
  const code = outcome.data.exit_code;
  const isBad = typeof code === 'number' && code !== 0;
  const facts = factsOf(card, outcome, text);
  const room = columns - indent.length - 2;
  const shown = cutToWidth(title, Math.max(20, room - displayWidth(facts) - 3));
  const tail =
    facts === '' ? '' : paint('dim', cutToWidth(` · ${facts}`, Math.max(1, room - displayWidth(shown))));
  return [
    `${indent}${paint(isBad ? 'red' : 'green', isBad ? '✖' : '✔')} ${paint('bold', shown)}${tail}`,
    ...(typeof code === 'number' ? outputLines(printedBy(outcome.data), outputRows, setting) : []),
    ...heldLines(outcome.data, setting),
    ...(card.wasAsked ? [] : changeLines(card.plan, setting)),
  ];
}

function indentOf({ agent }: ToolCall): string {
  return agent === undefined ? '' : '  ↳ ';
}

function factsOf(card: Card, outcome: Extract<Outcome, { status: 'completed' }>, text: string): string {
  const { diff } = card.plan ?? {};
  const { data, changedBy } = outcome;
  const durationMs = Date.now() - card.since;
  const facts: string[] = [];
  if (diff !== undefined && diff.text !== '') facts.push(`+${diff.additions} −${diff.deletions}`);
  if (typeof data.exit_code === 'number') facts.push(`exit code ${data.exit_code}`);
  if (facts.length === 0 && text.trim() !== '') facts.push(sizeOf(text));
  if (changedBy !== undefined)
    facts.push(changedBy.kind === 'hunks' ? 'only the hunks you took' : 'as you edited it');
  if (durationMs >= 1000) facts.push(`${(durationMs / 1000).toFixed(1)} s`);
  return facts.join(' · ');
}

function sizeOf(text: string): string {
  const lines = text.trimEnd().split('\n');
  const [first = ''] = lines;
  return lines.length === 1 && first.length <= shortResult ? visibleLine(first) : `${lines.length} lines`;
}

function printedBy({ stdout, stderr }: Record<string, unknown>): string {
  return [stdout, stderr].filter((text) => typeof text === 'string' && text !== '').join('\n');
}

/** What was taken away after a command is said in full, with what to do about it. */
function heldLines({ held_back, notes }: Record<string, unknown>, { columns, paint }: CardSetting): string[] {
  const [said] = held_back !== undefined && Array.isArray(notes) ? notes.map(String) : [];
  if (said === undefined) return [];
  return wrapText(visibleLine(said), Math.max(20, columns - 4)).map(
    (line) => `  ${paint('yellow', line.trimEnd())}`,
  );
}

function outputLines(output: string, rows: number, { columns, paint }: CardSetting): string[] {
  const lines = visible(output).trimEnd().split('\n');
  const left = lines.length - rows;
  const shown = lines.slice(-rows).filter((line) => line !== '' || lines.length > 1);
  return [
    ...(left > 0 ? [paint('dim', `  │ … ${left} more ${left === 1 ? 'line' : 'lines'} above`)] : []),
    ...shown.map((line) => paint('dim', `  │ ${cutToWidth(line.replaceAll('\t', '    '), columns - 5)}`)),
  ];
}

function changeLines(plan: Plan | undefined, { columns, paint }: CardSetting): string[] {
  const { diff } = plan ?? {};
  if (diff === undefined || diff.text === '') return [];
  const lines = diffText(diff, { columns: Math.max(20, columns - 2), paint });
  const left = lines.length - diffRows;
  return [
    ...lines.slice(0, diffRows).map((line) => `  ${line}`),
    ...(left > 0 ? [paint('dim', `  … ${left} more lines; /diff shows all`)] : []),
  ];
}

function toldBy(progress: Record<string, unknown>): string {
  return Object.entries(progress)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${String(value)}`)
    .join(', ');
}
