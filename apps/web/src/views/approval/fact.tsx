// One thing to know before deciding: a word, and what it is.
import type { ReactNode } from 'react';

export function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 text-small two:grid-cols-[7.5rem_1fr]">
      <span className="text-muted">{label}</span>
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}
