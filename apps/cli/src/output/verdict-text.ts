// A verdict as text: the call, the effect, the rule, the reason.
import { type Risk, type RuleEffect, visibleLine } from '@codelab/protocol';
import { type Paint, riskStyle, verdictStyle } from './paint.ts';
import { columns } from './text-width.ts';

type Shown = {
  subject: string;
  verdict: RuleEffect;
  risk: Risk;
  rule: string;
  reason: string;
  parts: readonly { text: string; verdict: RuleEffect; reason: string }[];
};

/** A verdict as JSON for programs: English only, so the phrases for other languages are left out. */
export function verdictJson({
  verdict,
  risk,
  rule,
  reason,
  parts,
}: Omit<Shown, 'subject'>): Omit<Shown, 'subject'> {
  const partRows = parts.map((part) => ({ text: part.text, verdict: part.verdict, reason: part.reason }));
  return { verdict, risk, rule, reason, parts: partRows };
}

const meanings: Record<RuleEffect, string> = {
  allow: 'runs without asking',
  ask: 'a human is asked first',
  deny: 'never runs',
};

export function verdictText({ subject, verdict, risk, rule, reason, parts }: Shown, paint: Paint): string {
  const label = (text: string): string => paint('dim', text);
  const lines = columns([
    [label('call'), subject],
    [label('verdict'), `${paint(verdictStyle[verdict], verdict)}: ${meanings[verdict]}`],
    [label('risk'), paint(riskStyle(risk), risk)],
    [label('rule'), visibleLine(rule)],
    [label('reason'), visibleLine(reason)],
    ...(parts.length < 2
      ? []
      : parts.map((part) => [
          label('heard'),
          `${paint(verdictStyle[part.verdict], part.verdict)} ${visibleLine(part.text)}: ${visibleLine(part.reason)}`,
        ])),
  ]);
  return `${lines.join('\n')}\n`;
}

/** The parts of a verdict, one per line; nested parts are indented. */
type Part = { text: string; verdict: RuleEffect; reason: string; depth: number };

const maxChars = 200;

export function partTree(parts: readonly Part[], paint: Paint): string[] {
  return parts.flatMap(({ text, verdict, reason, depth }) => {
    const indent = '  '.repeat(depth + 1);
    const shownText = text.length > maxChars ? `${text.slice(0, maxChars)}…` : text;
    return [
      `${indent}${paint(verdictStyle[verdict], verdict.padEnd(5))} ${visibleLine(shownText)}`,
      `${indent}      ${paint('dim', visibleLine(reason))}`,
    ];
  });
}
