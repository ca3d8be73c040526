// A button that is an icon; its label is read aloud and shown as a tooltip, with the shortcut where there is one.
import type { LucideIcon } from 'lucide-react';
import type { ComponentProps } from 'react';
import { cx } from './cx.ts';
import { Tooltip } from './tooltip.tsx';

type Props = Omit<ComponentProps<'button'>, 'aria-label' | 'title'> & {
  icon: LucideIcon;
  label: string;
  shortcut?: string | undefined;
  isActive?: boolean;
  size?: 'small' | 'base';
  /** `strong` is what one came for; it stands once. */
  tone?: 'quiet' | 'strong' | 'danger';
};

const tones = {
  quiet: 'text-muted hover:bg-hover hover:text-text active:bg-selected',
  strong: 'bg-accent text-on-accent hover:bg-accent-hover',
  danger: 'bg-bad-soft text-bad hover:bg-bad hover:text-surface',
};

export function IconButton(props: Props) {
  const {
    icon: Icon,
    label,
    shortcut,
    isActive,
    size = 'base',
    tone = 'quiet',
    className,
    children,
    ...rest
  } = props;
  return (
    <Tooltip label={label} shortcut={shortcut}>
      <button
        type="button"
        aria-label={label}
        className={cx(
          'relative inline-flex shrink-0 items-center justify-center rounded-base transition-colors disabled:opacity-40',
          isActive ? 'bg-selected text-accent' : tones[tone],
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
