// How a call is named on the screen: the icon of its kind, the mark of its state, and its title.

import { type Kind, type Plan, visibleLine } from '@codelab/protocol';
import {
  Ban,
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CirclePause,
  CircleQuestionMark,
  ClockAlert,
  FileInput,
  FilePen,
  FileText,
  type LucideIcon,
  Search,
  Sparkles,
  SquareTerminal,
  Trash2,
} from 'lucide-react';
import type { CallModel } from '../../../session/session-model.ts';
import { planTexts } from '../../../text/phrases.ts';
import { currentText, useText } from '../../../text/use-text.ts';
import { cx } from '../../../ui/cx.ts';
import { Spinner } from '../../../ui/spinner.tsx';

// How a call stands, as an icon with its word.
const looks: Record<
  Exclude<CallModel['state'], 'running'>,
  { icon: LucideIcon; color: string; isQuiet?: true }
> = {
  received: { icon: CircleDashed, color: 'text-muted' },
  planned: { icon: CircleDashed, color: 'text-muted' },
  awaiting_approval: { icon: CirclePause, color: 'text-warn' },
  unanswered: { icon: ClockAlert, color: 'text-warn' },
  approved: { icon: CircleDashed, color: 'text-accent' },
  // The usual case needs no word for the eye.
  completed: { icon: CircleCheck, color: 'text-good', isQuiet: true },
  failed: { icon: CircleAlert, color: 'text-bad' },
  rejected: { icon: Ban, color: 'text-bad' },
  expired: { icon: ClockAlert, color: 'text-warn' },
  timed_out: { icon: ClockAlert, color: 'text-bad' },
  cancelled: { icon: Ban, color: 'text-muted' },
};

type Props = { state: CallModel['state']; exit?: number | undefined };

/** `exit`: of a command that ran and failed. */
export function CallStateMark({ state, exit }: Props) {
  const words = useText().conversation;
  const word = words.state[state];
  if (exit !== undefined)
    return (
      <span className="inline-flex shrink-0 items-center gap-1 text-small font-medium text-bad">
        <CircleAlert aria-hidden className="size-3.5" />
        {words.exitShort(exit)}
      </span>
    );
  if (state === 'running')
    return (
      <span className="inline-flex shrink-0 items-center gap-1 text-small text-accent">
        <Spinner className="size-3.5" />
        <span className="max-two:sr-only">{word}</span>
      </span>
    );
  const { icon: Icon, color, isQuiet } = looks[state];
  return (
    <span className={cx('inline-flex shrink-0 items-center gap-1 text-small', color)}>
      <Icon aria-hidden className="size-3.5" />
      <span className={isQuiet ? 'sr-only' : 'max-two:sr-only'}>{word}</span>
    </span>
  );
}

// A picture for each kind of call.
export const kindIcons: Readonly<Record<Kind, LucideIcon>> = {
  read: FileText,
  edit: FilePen,
  delete: Trash2,
  move: FileInput,
  search: Search,
  execute: SquareTerminal,
  ask: CircleQuestionMark,
  think: Sparkles,
};

// The title of a call: the command itself, else the summary of its plan, else its arguments.
const longest = 300;

export function titleOf({ call, plan }: CallModel): string {
  if (plan?.command !== undefined) return spell(plan.command.line);
  // How many lines it changes stands beside it.
  if (plan !== undefined)
    return spell(withoutCounts(planTexts(plan, currentText()).summary)) + lineRange(call.args);
  const argument = Object.values(call.args).find((value) => typeof value === 'string');
  return spell(argument === undefined ? call.tool : `${call.tool} ${argument}`);
}

/** A plan's summary in the language of the screen. */
export function summaryTitle(plan: Plan): string {
  return spell(planTexts(plan, currentText()).summary);
}

/** Without the lines it adds and removes, which stand in brackets in every language: `(+3 −1 lines)`. */
function withoutCounts(title: string): string {
  return title.replace(/\s*[(（][^()（）]*\+\d+\s−\d+[^()（）]*[)）]$/, '');
}

/** Which lines were read, where not all were. */
function lineRange({ offset, limit, start_line, end_line }: Record<string, unknown>): string {
  const from = typeof start_line === 'number' ? start_line : typeof offset === 'number' ? offset : undefined;
  const counted = typeof limit === 'number' ? (from ?? 1) + limit - 1 : undefined;
  const to = typeof end_line === 'number' ? end_line : counted;
  if (from === undefined && to === undefined) return '';
  return `:${from ?? 1}${to === undefined ? '' : `–${to}`}`;
}

function spell(text: string): string {
  return visibleLine(text.slice(0, longest));
}
