// An approval as short as possible: the diff or the parsed command first, then why it is asked. Anything unusual about the
// call is always shown here; everything else is in the details.
import {
  type ApprovalRequest,
  type Command,
  type Decision,
  type HunkChoice,
  type Plan,
  type Risk,
  type SessionLog,
  visible,
  visibleLine,
} from '@codelab/protocol';
import type { Paint, Style } from '../output/paint.ts';
import { wrapText } from '../output/text-width.ts';
import { reach, touchRows } from './approval-text.ts';
import { diffText } from './diff-text.ts';

const badges: Record<Risk, { badge: Style; bar: Style }> = {
  low: { badge: ['black', 'bgGreen'], bar: 'green' },
  medium: { badge: ['black', 'bgYellow'], bar: 'yellow' },
  high: { badge: ['bold', 'white', 'bgRed'], bar: 'red' },
  critical: { badge: ['bold', 'white', 'bgMagenta'], bar: 'magenta' },
};

type Setting = { columns: number; paint: Paint };
/** `isWhySaid`: the reason is shown once, for several cards. */
type CardSetting = Setting & { isWhySaid?: boolean };

export function approvalCard(approval: ApprovalRequest, setting: CardSetting): string[] {
  const { columns, paint, isWhySaid = false } = setting;
  const { plan, verdict, again } = approval;
  const { badge, bar } = badges[verdict.risk];
  const width = Math.max(20, columns - 3);
  const risk = ` ${verdict.risk.toUpperCase()} RISK `;
  const [title = '', ...titleRest] = wrapText(titleOf(approval), width - risk.length - 1);
  const lines = [
    `${paint(badge, risk)} ${paint('bold', title.trimEnd())}`,
    ...titleRest.map((line) => paint('bold', line)),
    ...(again === undefined ? [] : styled(`Asked again: ${again}`, { width, paint }, 'yellow')),
    ...matter(approval, { columns: width, paint }),
    ...plan.notes.flatMap((note) => styled(note, { width, paint }, 'yellow')),
    ...(isWhySaid ? [] : reasonLines(approval)).flatMap((text) => styled(text, { width, paint }, 'dim')),
  ];
  return lines.map((line) => `${paint(bar, '┃')} ${line}`.trimEnd());
}

/** The command line is shown below, in full. */
function titleOf({ tool, plan: { command, question, summary } }: ApprovalRequest): string {
  if (question !== undefined) return visibleLine(tool);
  if (command === undefined) return visibleLine(summary);
  return command.cwd === '.' ? 'Run a command' : `Run a command in ${visibleLine(command.cwd)}`;
}

function matter({ plan }: ApprovalRequest, { columns, paint }: Setting): string[] {
  const { question, diff, command, touches, blast } = plan;
  if (question !== undefined)
    return visible(question.message)
      .split('\n')
      .flatMap((line) => wrapText(line.replaceAll('\t', '  '), columns));
  if (command !== undefined) return commandLines(command, { columns, paint });
  const hasDiff = diff !== undefined && diff.text !== '';
  // The diff names the files; a path whose real place differs is shown all the same.
  const places = hasDiff ? touches.filter(({ asked, path }) => asked !== path) : touches;
  return [
    ...(hasDiff ? diffText(diff, { columns, paint, isNamed: isNamedIn(plan) }) : []),
    ...touchRows(places).map(([label, text]) => `${label.padEnd(8)} ${text}`.trim()),
    ...(blast === undefined ? [] : [reach(blast)]),
  ].flatMap((line) => (hasDiff ? [line] : wrapText(line, columns)));
}

/** The title names the file of a change to one file. */
function isNamedIn({ touches, summary }: Plan): boolean {
  const changed = new Set(touches.filter(({ access }) => access !== 'read').map(({ path }) => path));
  const [path = ''] = changed;
  return changed.size === 1 && summary.includes(path);
}

function reachText(hosts: readonly string[] | undefined): string {
  return hosts === undefined
    ? 'It can reach the network.'
    : `It can reach ${visibleLine(hosts.join(', '))}, and no other host.`;
}

function commandLines({ line, parts, confinement }: Command, { columns, paint }: Setting): string[] {
  const [first = '', ...otherLines] = visible(line).replaceAll('\t', '⇥').split('\n');
  // For one program the command line says everything.
  const askedParts = parts.length > 1 ? parts.filter(({ verdict }) => verdict !== 'allow') : [];
  // A missing sandbox is one of the plan's notes.
  const reachLines = confinement.network ? [reachText(confinement.hosts)] : [];
  return [
    ...[`$ ${first}`, ...otherLines.map((row) => `  ${row}`)].flatMap((row) =>
      wrapText(row, columns).map((text) => paint('cyan', text)),
    ),
    ...askedParts.flatMap(({ text, reason }) =>
      wrapText(`  • ${visibleLine(text)}: ${visibleLine(reason)}`, columns),
    ),
    ...reachLines.flatMap((text) => styled(text, { width: columns, paint }, 'yellow')),
  ];
}

/** Several cards, and below them the reason when they share it. */
export function approvalCards(approvals: readonly ApprovalRequest[], { columns, paint }: Setting): string[] {
  const [first = [], ...others] = approvals.map(reasonLines);
  const isWhySaid = first.length > 0 && others.every((reasons) => reasons[0] === first[0]);
  const cards = approvals.flatMap((approval) => [
    ...approvalCard(approval, { columns, paint, isWhySaid }),
    '',
  ]);
  return isWhySaid ? [...cards, ...styled(first[0] ?? '', { width: columns - 1, paint }, 'dim'), ''] : cards;
}

/** One sentence; none for a question of the agent, or where a part above says the same. */
function reasonLines({ plan: { question, command }, verdict }: ApprovalRequest): string[] {
  if (question !== undefined && verdict.verdict === 'allow') return [];
  const isSaid =
    command !== undefined &&
    command.parts.length > 1 &&
    command.parts.some(({ reason }) => reason === verdict.reason);
  return isSaid ? [] : [verdict.reason];
}

function styled(text: string, { width, paint }: { width: number; paint: Paint }, style: Style): string[] {
  return wrapText(visibleLine(text), width).map((line) => paint(style, line.trimEnd()));
}

/** The outcome of an approval that was not decided here. */
export async function settledText(log: SessionLog, { id, session }: ApprovalRequest): Promise<string> {
  for (const { body } of (await log.read(session)).reverse()) {
    if (body.type === 'approval.decided' && body.approvalId === id)
      return `■ Decided elsewhere: ${body.decision.kind} by ${visibleLine(body.by.who)} via ${visibleLine(body.by.via)}`;
    if (body.type === 'approval.expired' && body.approvalId === id)
      return '■ Time is up: there was no answer, and nothing was run';
  }
  return '■ The call has ended';
}

/** One line about the decision. */
export function decisionText(decision: Decision, paint: Paint): string {
  switch (decision.kind) {
    case 'approve':
      return paint(
        'green',
        `✔ Approved${decision.remember ? ` and remembered (${decision.remember.scope})` : ''}`,
      );
    case 'edit':
      return paint('green', '✔ Approved as you edited it');
    case 'hunks':
      return paint('green', `✔ Approved hunk ${hunksText(decision)}`);
    case 'reject':
      return paint('red', `✖ Rejected${decision.feedback ? `: ${visibleLine(decision.feedback)}` : ''}`);
    case 'answer':
      return paint('green', `✔ ${visibleLine(decision.action)}`);
  }
}

function hunksText({ take, edits = [] }: HunkChoice): string {
  const changed = new Set(edits.map(({ hunk }) => hunk));
  return take.map((number) => `${number}${changed.has(number) ? ' as you changed it' : ''}`).join(', ');
}
