// What policy says, in a word.
import type { RuleEffect } from '@codelab/protocol';
import { CircleCheck, CircleQuestionMark, CircleSlash } from 'lucide-react';
import { useText } from '../../text/use-text.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';

const looks = {
  allow: { tone: 'good', icon: CircleCheck },
  ask: { tone: 'warn', icon: CircleQuestionMark },
  deny: { tone: 'bad', icon: CircleSlash },
} as const satisfies Record<RuleEffect, { tone: BadgeTone; icon: typeof CircleCheck }>;

export function VerdictBadge({ verdict, children }: { verdict: RuleEffect; children?: string }) {
  const words = useText().settings;
  const { tone, icon: Icon } = looks[verdict];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden className="size-3" />}>
      {children ?? words.verdicts[verdict]}
    </Badge>
  );
}
