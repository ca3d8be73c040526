// Everything a human needs to decide, in the order they need it: what, why it asks, where it really goes, what would change.
import { type ApprovalRequest, type BlastRadius, type Risk, visible, visibleLine } from '@codelab/protocol';
import { byteSize } from '../output/byte-size.ts';
import type { Paint, Style } from '../output/paint.ts';
import { wrapText } from '../output/wrap-text.ts';
import { argumentRows } from './argument-rows.ts';
import { commandRows } from './command-rows.ts';
import { diffText } from './diff-text.ts';
import { touchRows } from './touch-rows.ts';

const badges: Record<Risk, { badge: Style; bar: Style }> = {
  low: { badge: ['black', 'bgGreen'], bar: 'green' },
  medium: { badge: ['black', 'bgYellow'], bar: 'yellow' },
  high: { badge: ['bold', 'white', 'bgRed'], bar: 'red' },
  critical: { badge: ['bold', 'white', 'bgMagenta'], bar: 'magenta' },
};

const labelWidth = 11;

type Row = readonly [label: string, text: string];

export function approvalText(
  approval: ApprovalRequest,
  { columns, paint }: { columns: number; paint: Paint },
): string[] {
  const { plan, verdict, tool } = approval;
  const { badge, bar } = badges[verdict.risk];
  const width = Math.max(20, columns - 3);
  const lines = [
    `${paint(badge, ` ${verdict.risk.toUpperCase()} RISK `)} ${paint('bold', visibleLine(tool))}`,
    ...(approval.again === undefined
      ? []
      : wrapText(`Asked again: ${visibleLine(approval.again)}`, width).map((line) => paint('yellow', line))),
    ...wrapText(visibleLine(plan.summary), width).map((line) => paint('bold', line)),
    '',
    ...questionText(plan.question?.message, width),
    ...rowsFor(approval).flatMap((row) => labelled(row, width, paint)),
    ...(plan.diff === undefined || plan.diff.text === ''
      ? []
      : ['', ...diffText(plan.diff, { columns: width, paint })]),
  ];
  return lines.map((line) => `${paint(bar, '┃')} ${line}`.trimEnd());
}

function rowsFor(approval: ApprovalRequest): Row[] {
  const { plan, verdict } = approval;
  const why: Row = ['why asked', `${visibleLine(verdict.reason)} [rule ${visibleLine(verdict.rule)}]`];
  // A question is asked by its nature; its text and its answers are all there is to it.
  if (plan.question !== undefined) return verdict.verdict === 'allow' ? [] : [why];
  return [
    why,
    ['risk', `${verdict.risk}: ${visibleLine(plan.riskReason)}`],
    ...(plan.command === undefined ? [] : commandRows(plan.command)),
    ...touchRows(plan.touches),
    ...plan.notes.map((note): Row => ['note', visibleLine(note)]),
    ...(plan.blast === undefined ? [] : [['reach', reach(plan.blast)] as const]),
    ...argumentRows(approval),
  ];
}

function questionText(message: string | undefined, width: number): string[] {
  if (message === undefined) return [];
  return [
    ...visible(message)
      .split('\n')
      .flatMap((line) => wrapText(line.replaceAll('\t', '  '), width)),
    '',
  ];
}

function labelled([label, text]: Row, width: number, paint: Paint): string[] {
  return wrapText(text, width - labelWidth).map(
    (line, i) => paint('dim', (i === 0 ? label : '').padEnd(labelWidth)) + line,
  );
}

function reach(blast: BlastRadius): string {
  const { files, directories, bytes, untracked, linksLeaving } = blast;
  const parts = [`${files} files`, `${directories} folders`, byteSize(bytes)];
  if (untracked !== null) parts.push(`${untracked} not in git`);
  if (linksLeaving > 0) parts.push(`${linksLeaving} links out of the workspace`);
  return parts.join(', ');
}
