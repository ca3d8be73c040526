// A verdict for people: what, whether it may, by which rule, why.
import { type Risk, type RuleEffect, visibleLine } from '@codelab/protocol';
import { columns } from './columns.ts';
import type { Paint, Style } from './paint.ts';
import { riskStyle } from './risk-style.ts';

type Shown = {
  what: string;
  verdict: RuleEffect;
  risk: Risk;
  rule: string;
  reason: string;
  parts: readonly { text: string; verdict: RuleEffect; reason: string }[];
};

const looks: Record<RuleEffect, { style: Style; meaning: string }> = {
  allow: { style: ['bold', 'green'], meaning: 'runs without asking' },
  ask: { style: ['bold', 'yellow'], meaning: 'a human is asked first' },
  deny: { style: ['bold', 'red'], meaning: 'never runs' },
};

export function verdictText({ what, verdict, risk, rule, reason, parts }: Shown, paint: Paint): string {
  const { style, meaning } = looks[verdict];
  const label = (text: string): string => paint('dim', text);
  const lines = columns([
    [label('call'), what],
    [label('verdict'), `${paint(style, verdict)}: ${meaning}`],
    [label('risk'), paint(riskStyle(risk), risk)],
    [label('rule'), visibleLine(rule)],
    [label('reason'), visibleLine(reason)],
    ...(parts.length < 2
      ? []
      : parts.map((part) => [
          label('heard'),
          `${paint(looks[part.verdict].style, part.verdict)} ${visibleLine(part.text)}: ${visibleLine(part.reason)}`,
        ])),
  ]);
  return `${lines.join('\n')}\n`;
}
