// Small marks: a word, whose colour is never the only information, and the keys of a shortcut.

import type { Risk } from '@codelab/protocol';
import { OctagonAlert, ShieldAlert, ShieldCheck, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { spellShortcut } from '../actions/spell-shortcut.ts';
import { useText } from '../text/use-text.ts';
import { cx } from './cx.ts';

export type BadgeTone = 'plain' | 'accent' | 'good' | 'warn' | 'high' | 'bad';

const tones: Record<BadgeTone, string> = {
  plain: 'bg-sunken text-muted border-line',
  accent: 'bg-accent-soft text-accent border-accent/30',
  good: 'bg-good-soft text-good border-good/30',
  warn: 'bg-warn-soft text-warn border-warn/30',
  high: 'bg-high-soft text-high border-high/30',
  bad: 'bg-bad-soft text-bad border-bad/30',
};

type Props = { tone?: BadgeTone; icon?: ReactNode; className?: string; children: ReactNode };

export function Badge({ tone = 'plain', icon, className, children }: Props) {
  return (
    <span
      className={cx(
        'inline-flex shrink-0 items-center gap-1 rounded-full border px-1.5 text-tiny font-medium whitespace-nowrap',
        tones[tone],
        className,
      )}
    >
      {icon}
      {children}
    </span>
  );
}

// How much a mistake would hurt, in words, colour and shape.
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

// A shortcut as keys, spelled for this machine.
export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {spellShortcut(keys).map((key) => (
        <kbd
          key={key}
          className="min-w-4.5 rounded-small border border-line bg-sunken px-1 text-center font-sans text-tiny text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
