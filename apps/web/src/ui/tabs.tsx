// Tabs with arrow keys, after the ARIA pattern. Where their names do not fit, all but the selected one become icons.
import type { LucideIcon } from 'lucide-react';
import { Tabs as Radix } from 'radix-ui';
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react';
import { cx } from './cx.ts';

type TabItem = { id: string; label: string; icon?: LucideIcon; badge?: ReactNode };

type Props = {
  label: string;
  items: readonly TabItem[];
  value: string;
  onChange(id: string): void;
  /** Stands at the end of their row. */
  end?: ReactNode;
  children: ReactNode;
};

export function Tabs({ label, items, value, onChange, end, children }: Props) {
  const list = useRef<HTMLDivElement>(null);
  const isTight = useIsTight(list, items.map((item) => item.label).join());
  return (
    <Radix.Root value={value} onValueChange={onChange} className="flex h-full min-h-0 flex-col">
      <div className="flex h-9 shrink-0 items-center border-b border-line">
        <Radix.List
          ref={list}
          aria-label={label}
          className="flex h-full min-w-0 flex-1 gap-0.5 overflow-x-auto px-1.5 [scrollbar-width:none]"
        >
          {items.map((item) => (
            <Tab key={item.id} item={item} isShort={isTight && item.id !== value} />
          ))}
        </Radix.List>
        {end}
      </div>
      {children}
    </Radix.Root>
  );
}

function Tab({ item: { id, label, icon: Icon, badge }, isShort }: { item: TabItem; isShort: boolean }) {
  const isIcon = isShort && Icon !== undefined;
  return (
    <Radix.Trigger
      value={id}
      title={isIcon ? label : undefined}
      className="flex shrink-0 items-center gap-1 border-b-2 border-transparent px-1.5 text-small font-medium whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2 data-[state=active]:border-accent data-[state=active]:text-text"
    >
      {isIcon && <Icon aria-hidden className="size-4" />}
      <span className={cx(isIcon && 'sr-only')}>{label}</span>
      {badge}
    </Radix.Trigger>
  );
}

export function TabPanel({ id, children }: { id: string; children: ReactNode }) {
  return (
    <Radix.Content value={id} className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2">
      {children}
    </Radix.Content>
  );
}

// Whether a row has less room than what stands in it needs. Words are of other lengths in every language, so it is measured, not guessed.
/** `content` names what stands in it: another one is measured anew. */
function useIsTight(row: RefObject<HTMLElement | null>, content: string): boolean {
  const [isTight, setIsTight] = useState(false);
  // biome-ignore lint/correctness/useExhaustiveDependencies: other content needs other room.
  useLayoutEffect(() => {
    const box = row.current;
    if (box === null) return;
    // The full width can be measured only while all labels are shown; once they are shortened, the last measured width counts.
    let needed = 0;
    const look = (): void => {
      if (box.scrollWidth > box.clientWidth) needed = Math.max(needed, box.scrollWidth);
      setIsTight(needed > box.clientWidth);
    };
    setIsTight(false);
    const watcher = new ResizeObserver(look);
    watcher.observe(box);
    for (const child of box.children) watcher.observe(child);
    return () => watcher.disconnect();
  }, [content, row]);
  return isTight;
}
