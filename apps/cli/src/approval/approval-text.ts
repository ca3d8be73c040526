// Everything a person needs for a decision, in reading order: the call, the reasons, the real path, and the change.
import {
  type ApprovalRequest,
  type BlastRadius,
  type Command,
  type CommandPart,
  type Confinement,
  type Risk,
  type Touch,
  visible,
  visibleLine,
} from '@codelab/protocol';
import type { Paint, Style } from '../output/paint.ts';
import { wrapText } from '../output/text-width.ts';
import { byteSize, countOf } from '../output/units.ts';
import { diffText } from './diff-text.ts';

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
  const reasonRow: Row = ['why asked', `${visibleLine(verdict.reason)} [rule ${visibleLine(verdict.rule)}]`];
  // A question always needs a person, so only its text and its answers are shown.
  if (plan.question !== undefined) return verdict.verdict === 'allow' ? [] : [reasonRow];
  return [
    reasonRow,
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

export function reach(blast: BlastRadius): string {
  const { files, directories, bytes, untracked, linksLeaving } = blast;
  const parts = [countOf(files, 'file'), countOf(directories, 'folder'), byteSize(bytes)];
  if (untracked !== null) parts.push(`${untracked} not in git`);
  if (linksLeaving > 0) parts.push(`${linksLeaving} links out of the workspace`);
  return parts.join(', ');
}

/** A call's arguments, each quoted so that no space or line end is hidden. Of long text that the diff shows, only the length. */
const longText = 120;

function argumentRows({ args, plan }: ApprovalRequest): Row[] {
  const isInDiff = plan.diff !== undefined && !plan.diff.truncated && plan.diff.text !== '';
  // The command line is shown above as it is.
  const shownArgs = Object.entries(args).filter(([, value]) => value !== plan.command?.line);
  return shownArgs.map(([name, value], i): Row => {
    const isLong = typeof value === 'string' && (value.length > longText || value.includes('\n'));
    const text = isLong && isInDiff ? sizeText(value) : JSON.stringify(value);
    return [i === 0 ? 'arguments' : '', `${visibleLine(name)} = ${visibleLine(text)}`];
  });
}

function sizeText(text: string): string {
  const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return `${lines} lines, ${text.length} characters; see the diff`;
}

/** A command: its line, its folder, every program in it with the verdict, and its confinement. */
const verdicts: Record<CommandPart['verdict'], string> = {
  allow: 'only reads',
  ask: 'to decide',
  deny: 'never runs',
};

export function commandRows({ line, cwd, parts, confinement }: Command): Row[] {
  const lines = visible(line).split('\n');
  return [
    ...lines.map((line, i): Row => [i === 0 ? 'line' : '', line.replaceAll('\t', '⇥')]),
    ['in folder', visibleLine(cwd)],
    ...parts.flatMap(partRows),
    ['sandbox', sandboxText(confinement)],
    ['network', networkText(confinement)],
  ];
}

function networkText({ network, hosts }: Confinement): string {
  if (!network) return 'no';
  return hosts === undefined
    ? 'yes, it can reach everything this machine can'
    : `only ${visibleLine(hosts.join(', '))}`;
}

function partRows({ text, verdict, risk, reason, isDynamic, depth = 0 }: CommandPart, i: number): Row[] {
  const indent = '  '.repeat(Math.min(depth, 8));
  const unknown = isDynamic ? ' Some of it is known only when it runs.' : '';
  return [
    [i === 0 ? 'starts' : '', `${indent}${visibleLine(text)}`],
    ['', `${indent}  ${verdicts[verdict]}, ${risk} risk: ${visibleLine(reason)}${unknown}`],
  ];
}

function sandboxText({ sandbox, why }: Confinement): string {
  if (sandbox !== 'none') return `yes (${sandbox}): writes only in the workspace and a private /tmp`;
  return `NOT SANDBOXED: it can do anything you can. ${why === undefined ? '' : visibleLine(why)}`.trimEnd();
}

/** The path of a call: the real one first, then the caller's spelling when it differs. */
export function touchRows(touches: readonly Touch[]): Row[] {
  const [first] = touches;
  if (first === undefined) return [];
  // Entries that go with their folder are counted, not listed.
  const isBelow = (touch: Touch): boolean =>
    touch.path.startsWith(`${first.path}/`) && touch.access === first.access && touch.asked === touch.path;
  const below = touches.filter(isBelow).length;
  return touches
    .filter((touch) => !isBelow(touch))
    .flatMap((touch): Row[] => {
      const and = touch === first && below > 0 ? ` and all ${below} places below it` : '';
      const place: Row = [verbs[touch.access], `${visibleLine(touch.path)}${and}`];
      if (touch.asked === touch.path) return [place];
      return [place, ['', `asked for as ${visibleLine(JSON.stringify(touch.asked))}`]];
    });
}

const verbs: Record<Touch['access'], string> = {
  read: 'reads',
  create: 'creates',
  write: 'writes',
  delete: 'removes',
};
