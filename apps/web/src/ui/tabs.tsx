// Tabs with arrow keys, after the ARIA pattern. Where their names do not fit, all but the selected one become icons.
import type { LucideIcon } from 'lucide-react';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useContext,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
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
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const isTight = useIsTight(list, items.map((item) => item.label).join());
  return (
    <Chosen value={{ id, value }}>
      <div className="flex h-full min-h-0 flex-col">
        <div className="flex h-9 shrink-0 items-center border-b border-line">
          <div
            ref={list}
            role="tablist"
            aria-label={label}
            onKeyDown={moveFocus}
            className="flex h-full min-w-0 flex-1 gap-0.5 overflow-x-auto px-1.5 [scrollbar-width:none]"
          >
            {items.map((item) => (
              <Tab
                key={item.id}
                item={item}
                isShort={isTight && item.id !== value}
                onChoose={() => item.id !== value && onChange(item.id)}
              />
            ))}
          </div>
          {end}
        </div>
        {children}
      </div>
    </Chosen>
  );
}

/** The tabs that a panel belongs to, and the chosen one. */
const Chosen = createContext({ id: '', value: '' });

const steps: Partial<Record<string, number>> = { ArrowRight: 1, ArrowLeft: -1 };

/** Arrows go round. The tab that gets the focus is chosen. */
function moveFocus(event: KeyboardEvent<HTMLElement>): void {
  const { key, ctrlKey, altKey, metaKey, shiftKey, currentTarget, target } = event;
  if (ctrlKey || altKey || metaKey || shiftKey) return;
  const tabs = [...currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
  const at = tabs.indexOf(target as HTMLElement);
  const step = steps[key];
  const next =
    step === undefined ? { Home: tabs[0], End: tabs.at(-1) }[key] : tabs.at((at + step) % tabs.length);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

type TabProps = { item: TabItem; isShort: boolean; onChoose(): void };

function Tab({ item: { id, label, icon: Icon, badge }, isShort, onChoose }: TabProps) {
  const { id: tabs, value } = useContext(Chosen);
  const isIcon = isShort && Icon !== undefined;
  return (
    <button
      type="button"
      role="tab"
      id={`${tabs}-tab-${id}`}
      aria-selected={id === value}
      aria-controls={`${tabs}-panel-${id}`}
      tabIndex={id === value ? 0 : -1}
      title={isIcon ? label : undefined}
      onMouseDown={({ button, ctrlKey }) => button === 0 && !ctrlKey && onChoose()}
      onFocus={onChoose}
      onClick={onChoose}
      className="flex shrink-0 items-center gap-1 border-b-2 border-transparent px-1.5 text-small font-medium whitespace-nowrap text-muted hover:text-text focus-visible:-outline-offset-2 aria-selected:border-accent aria-selected:text-text"
    >
      {isIcon && <Icon aria-hidden className="size-4" />}
      <span className={cx(isIcon && 'sr-only')}>{label}</span>
      {badge}
    </button>
  );
}

export function TabPanel({ id, children }: { id: string; children: ReactNode }) {
  const { id: tabs, value } = useContext(Chosen);
  return (
    <div
      role="tabpanel"
      id={`${tabs}-panel-${id}`}
      aria-labelledby={`${tabs}-tab-${id}`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what a panel shows may have nothing else that takes the focus, and must be scrolled by keys.
      tabIndex={0}
      hidden={id !== value}
      className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
    >
      {id === value && children}
    </div>
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
