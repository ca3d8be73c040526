// A verdict for people: what, whether it may, by which rule, why.
import { type Risk, type RuleEffect, visibleLine } from '@codelab/protocol';
import { columns } from './columns.ts';
import type { Paint } from './paint.ts';
import { riskStyle } from './risk-style.ts';
import { verdictStyle } from './verdict-style.ts';

type Shown = {
  what: string;
  verdict: RuleEffect;
  risk: Risk;
  rule: string;
  reason: string;
  parts: readonly { text: string; verdict: RuleEffect; reason: string }[];
};

const meanings: Record<RuleEffect, string> = {
  allow: 'runs without asking',
  ask: 'a human is asked first',
  deny: 'never runs',
};

export function verdictText({ what, verdict, risk, rule, reason, parts }: Shown, paint: Paint): string {
  const label = (text: string): string => paint('dim', text);
  const lines = columns([
    [label('call'), what],
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
