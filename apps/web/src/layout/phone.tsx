// The layout of a narrow screen: one view at a time, a bar below to choose it, and a sheet for the rest.

import { Ellipsis, type LucideIcon } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useText } from '../text/use-text.ts';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { View } from '../view.ts';
import { findView } from '../views.ts';
import { useLayout, usePhone } from './layout-store.ts';
import { MainArea } from './main-area.tsx';
import { showView } from './show-view.ts';
import { bottomViews, leftViews, railTabs, sideViews } from './sorted-views.ts';
import { CountBadge, ViewFrame, ViewHeading } from './view-frame.tsx';

// The one column of a narrow screen; whatever it shows is the main thing on the page.
export function PhonePane() {
  const text = useText();
  const pane = usePhone((state) => state.pane);
  const view = pane === 'main' ? undefined : findView(pane);
  return (
    <>
      <div className={cx('flex min-h-0 flex-1 flex-col', view !== undefined && 'hidden')}>
        <MainArea />
      </div>
      {view !== undefined && (
        <main
          id="side"
          tabIndex={-1}
          aria-label={view.label(text)}
          className="flex min-h-0 flex-1 flex-col bg-surface"
        >
          <ViewHeading view={view} />
          <div className="min-h-0 flex-1 overflow-auto">
            <ViewFrame key={view.id} view={view} />
          </div>
        </main>
      )}
    </>
  );
}

// The tab bar of a narrow screen: what waits for the person comes first, what is seldom wanted is behind the last one.
const inBar = ['waiting', 'conversation', 'files', 'changes'].flatMap((id) => findView(id) ?? []);
const behind = [...leftViews, ...sideViews, ...bottomViews, ...railTabs].filter(
  (view) => !inBar.includes(view),
);

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
        // All of one width and weight, so that none moves when another one is chosen.
        'flex h-13 min-w-0 flex-1 flex-col items-center justify-center gap-0.5 text-tiny font-medium focus-visible:-outline-offset-2 active:bg-hover',
        isShown ? 'text-accent' : 'text-muted',
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

// The places a narrow screen has no room for in its bar.
type Props = { views: readonly View[]; isShown(view: View): boolean; isOpen: boolean; onClose(): void };

function MoreSheet({ views, isShown, isOpen, onClose }: Props) {
  const text = useText();
  return (
    <Dialog isSheet title={text.frame.more} isOpen={isOpen} onClose={onClose}>
      <ul className="-mx-2 grid grid-cols-4 gap-1 pb-[env(safe-area-inset-bottom)]">
        {views.map((view) => (
          <li key={view.id}>
            <button
              type="button"
              aria-current={isShown(view) ? 'page' : undefined}
              onClick={() => {
                onClose();
                showView(view.id);
              }}
              className={cx(
                'flex h-18 w-full flex-col items-center justify-center gap-1.5 rounded-base text-tiny',
                isShown(view) ? 'bg-selected font-semibold text-accent' : 'hover:bg-hover active:bg-hover',
              )}
            >
              <span className="relative px-2.5">
                <view.icon aria-hidden className="size-5" />
                <CountBadge view={view} isCorner />
              </span>
              <span className="max-w-full truncate px-1">{view.label(text)}</span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
