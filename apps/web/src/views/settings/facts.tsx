// Names and values that can only be looked at.
import type { ReactNode } from 'react';

export function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-1 @lg:grid-cols-[minmax(10rem,max-content)_1fr] @lg:gap-y-2">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="mb-1.5 min-w-0 wrap-anywhere @lg:mb-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
