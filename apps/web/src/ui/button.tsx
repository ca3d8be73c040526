// A button with a text. `tone` shows its importance; a card has one strong button.

import type { LucideIcon } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';
import { cx } from './cx.ts';
import { Tooltip } from './tooltip.tsx';

export type ButtonTone = 'plain' | 'strong' | 'good' | 'danger' | 'quiet';

type ButtonProps = ComponentProps<'button'> & {
  tone?: ButtonTone;
  size?: 'small' | 'base';
  icon?: ReactNode;
};

const tones: Record<ButtonTone, string> = {
  plain: 'border-line-strong/50 bg-surface text-text hover:bg-hover active:bg-selected',
  strong: 'border-transparent bg-accent text-on-accent hover:bg-accent-hover active:brightness-90',
  good: 'border-good/40 bg-good-soft text-good hover:border-good',
  danger: 'border-bad/40 bg-bad-soft text-bad hover:border-bad',
  quiet: 'border-transparent text-muted hover:bg-hover hover:text-text active:bg-selected',
};

export function Button({ tone = 'plain', size = 'base', icon, className, children, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      className={cx(
        'inline-flex shrink-0 items-center justify-center gap-1.5 rounded-base border font-medium whitespace-nowrap transition-colors disabled:opacity-50 [&>svg]:shrink-0',
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

// A button that is an icon; its label is read aloud and shown as a tooltip, with the shortcut where there is one.
type IconButtonProps = Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & {
  icon: LucideIcon;
  label: string;
  shortcut?: string | undefined;
  isActive?: boolean;
  size?: 'small' | 'base';
  /** `strong` is what one came for; it stands once. */
  tone?: 'quiet' | 'strong' | 'danger';
  /** The hint stands at the right of a button that has others below it. */
  isHintBeside?: boolean;
};

const iconTones = {
  quiet: 'text-muted hover:bg-hover hover:text-text active:bg-selected',
  strong: 'bg-accent text-on-accent hover:bg-accent-hover',
  danger: 'bg-bad-soft text-bad hover:bg-bad hover:text-surface',
};

export function IconButton(props: IconButtonProps) {
  const {
    icon: Icon,
    label,
    shortcut,
    isActive,
    size = 'base',
    tone = 'quiet',
    isHintBeside = false,
    className,
    children,
    ...rest
  } = props;
  return (
    <Tooltip label={label} shortcut={shortcut} isBeside={isHintBeside}>
      <button
        type="button"
        aria-label={label}
        className={cx(
          'relative inline-flex shrink-0 items-center justify-center rounded-base transition-colors disabled:opacity-40',
          isActive ? 'bg-selected text-accent' : iconTones[tone],
          size === 'small' ? 'size-6' : 'size-8',
          className,
        )}
        {...rest}
      >
        <Icon aria-hidden className={size === 'small' ? 'size-3.5' : 'size-4'} />
        {children}
      </button>
    </Tooltip>
  );
}
