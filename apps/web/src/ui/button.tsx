// A button with words. `tone` says how much it matters; the strong one stands once on a card.
import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';

export type ButtonTone = 'plain' | 'strong' | 'good' | 'danger' | 'quiet';

type Props = ComponentProps<'button'> & { tone?: ButtonTone; size?: 'small' | 'base'; icon?: ReactNode };

const tones: Record<ButtonTone, string> = {
  plain: 'border-line-strong/50 bg-surface text-text hover:bg-hover active:bg-selected',
  strong: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover active:brightness-90',
  good: 'border-good/40 bg-good-soft text-good hover:border-good',
  danger: 'border-bad/40 bg-bad-soft text-bad hover:border-bad',
  quiet: 'border-transparent text-muted hover:bg-hover hover:text-text active:bg-selected',
};

export function Button({ tone = 'plain', size = 'base', icon, className, children, ...rest }: Props) {
  return (
    <button
      type="button"
      className={cx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-base border font-medium whitespace-nowrap transition-colors disabled:opacity-50',
        size === 'small' ? 'h-6 px-2 text-small' : 'h-8 px-3 text-base',
        tones[tone],
        className,
      )}
      {...rest}
    >
      {icon}
      {children}
    </button>
  );
}
