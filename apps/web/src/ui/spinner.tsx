// Placeholders: a spinner while something loads, and an empty state where there is nothing.
import { LoaderCircle, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../text/use-text.ts';
import { cx } from './cx.ts';

// Something is under way. With a label it is read aloud; without, the words beside it say so.
export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span role={label === undefined ? undefined : 'status'} className="inline-flex">
      <LoaderCircle aria-hidden className={cx('size-4 animate-spin text-accent', className)} />
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}

/** Says what would stand here, and how it gets here. */
type Props = { icon: LucideIcon; title: string; hint?: string; children?: ReactNode };

export function EmptyState({ icon: Icon, title, hint, children }: Props) {
  return (
    <div className="flex h-full min-h-40 flex-col items-center justify-center gap-2 p-6 text-center">
      <Icon aria-hidden className="size-7 text-faint" strokeWidth={1.5} />
      <p className="font-medium">{title}</p>
      {hint !== undefined && <p className="max-w-80 text-small text-muted">{hint}</p>}
      {children}
    </div>
  );
}

/** Where a view will be. */
export function Loading() {
  const text = useText();
  return (
    <div className="flex h-full items-center justify-center p-6">
      <Spinner label={text.frame.loading} />
    </div>
  );
}
