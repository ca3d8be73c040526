// How much a mistake would hurt, in words, colour and shape.
import type { Risk } from '@codelab/protocol';
import { OctagonAlert, ShieldAlert, ShieldCheck, TriangleAlert } from 'lucide-react';
import { useText } from '../text/use-text.ts';
import { Badge, type BadgeTone } from './badge.tsx';

const looks = {
  low: { tone: 'good', icon: ShieldCheck },
  medium: { tone: 'warn', icon: ShieldAlert },
  high: { tone: 'high', icon: TriangleAlert },
  critical: { tone: 'bad', icon: OctagonAlert },
} as const satisfies Record<Risk, { tone: BadgeTone; icon: typeof ShieldCheck }>;

export function RiskBadge({ risk }: { risk: Risk }) {
  const text = useText();
  const { tone, icon: Icon } = looks[risk];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden className="size-3" />}>
      {text.ui.risk[risk]}
    </Badge>
  );
}
