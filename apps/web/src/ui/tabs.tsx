// Tabs with arrow keys, after the ARIA pattern.
import { Tabs as Radix } from 'radix-ui';
import type { ReactNode } from 'react';

type TabItem = { id: string; label: string; badge?: ReactNode };

type Props = {
  label: string;
  items: readonly TabItem[];
  value: string;
  onChange(id: string): void;
  children: ReactNode;
};

export function Tabs({ label, items, value, onChange, children }: Props) {
  return (
    <Radix.Root value={value} onValueChange={onChange} className="flex h-full min-h-0 flex-col">
      <Radix.List
        aria-label={label}
        className="flex h-9 shrink-0 gap-0.5 overflow-x-auto border-b border-line px-1.5"
      >
        {items.map(({ id, label: name, badge }) => (
          <Radix.Trigger
            key={id}
            value={id}
            className="-mb-px flex items-center gap-1.5 border-b-2 border-transparent px-1.5 text-small font-medium whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text"
          >
            {name}
            {badge}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {children}
    </Radix.Root>
  );
}

export function TabPanel({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Radix.Content value={id} className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2">
      {children}
    </Radix.Content>
  );
}
