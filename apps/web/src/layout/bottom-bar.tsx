// The tab bar of a narrow screen: what waits for the person comes first, what is seldom wanted is behind the last one.
import { Ellipsis, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { cx } from '../ui/cx.ts';
import type { View } from '../view.ts';
import { findView } from '../views.ts';
import { CountBadge } from './count-badge.tsx';
import { useLayout } from './layout-store.ts';
import { MoreSheet } from './more-sheet.tsx';
import { usePhone } from './phone-store.ts';
import { showView } from './show-view.ts';
import { leftViews, railTabs, sideViews } from './sorted-views.ts';

const inBar = ['waiting', 'conversation', 'files', 'changes'].flatMap((id) => findView(id) ?? []);
const behind = [...leftViews, ...sideViews, ...railTabs].filter((view) => !inBar.includes(view));

export function BottomBar() {
  const text = useText();
  const [isOpen, setIsOpen] = useState(false);
  const pane = usePhone((state) => state.pane);
  const activeTab = useLayout((layout) => layout.activeTab);
  const isShown = ({ id, place }: View): boolean =>
    place === 'main' ? pane === 'main' && activeTab === id : pane === id;
  return (
    <nav
      aria-label={text.frame.places}
      className="flex shrink-0 border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)]"
    >
      {inBar.map((view) => (
        <BottomTab
          key={view.id}
          icon={view.icon}
          label={view.label(text)}
          isShown={isShown(view)}
          onClick={() => showView(view.id)}
        >
          <CountBadge view={view} isCorner />
        </BottomTab>
      ))}
      <BottomTab
        icon={Ellipsis}
        label={text.frame.more}
        isShown={behind.some(isShown)}
        hasPopup
        onClick={() => setIsOpen(true)}
      />
      <MoreSheet views={behind} isShown={isShown} isOpen={isOpen} onClose={() => setIsOpen(false)} />
    </nav>
  );
}

type TabProps = {
  icon: LucideIcon;
  label: string;
  isShown: boolean;
  hasPopup?: boolean;
  onClick(): void;
  children?: ReactNode;
};

function BottomTab({ icon: Icon, label, isShown, hasPopup = false, onClick, children }: TabProps) {
  return (
    <button
      type="button"
      aria-current={isShown ? 'page' : undefined}
      aria-haspopup={hasPopup ? 'dialog' : undefined}
      onClick={onClick}
      className={cx(
        'flex h-13 min-w-0 flex-auto flex-col items-center justify-center gap-0.5 px-1 text-tiny focus-visible:-outline-offset-2 active:bg-hover',
        isShown ? 'font-semibold text-accent' : 'text-muted',
      )}
    >
      {/* Room beside the icon, so that a number stands at its corner and not over it. */}
      <span className="relative px-3">
        <Icon aria-hidden className="size-5" />
        {children}
      </span>
      <span className="max-w-full truncate">{label}</span>
    </button>
  );
}
