// Something is under way. With a label it is read aloud; without, the words beside it say so.
import { LoaderCircle } from 'lucide-react';
import { cx } from './cx.ts';

export function Spinner({ label, className }: { label?: string; className?: string }) {
  return (
    <span role={label === undefined ? undefined : 'status'} className="inline-flex">
      <LoaderCircle aria-hidden className={cx('size-4 animate-spin text-accent', className)} />
      {label !== undefined && <span className="sr-only">{label}</span>}
    </span>
  );
}
