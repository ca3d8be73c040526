// What stands where nothing is yet: what would be here, and how it gets here.
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

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
