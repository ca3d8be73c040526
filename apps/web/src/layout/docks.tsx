// The columns beside the centre: one view on the left, and tabs of views on the right.

import { X } from 'lucide-react';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { TabPanel, Tabs } from '../ui/tabs.tsx';
import type { View } from '../view.ts';
import { changeLayout, useLayout } from './layout-store.ts';
import { sideViews } from './sorted-views.ts';
import { CountBadge, ViewFrame, ViewHeading } from './view-frame.tsx';

// The column beside the rail: one view, named above.
export function LeftDock({ view, width }: { view: View; width: number }) {
  const text = useText();
  return (
    <aside
      aria-label={text.frame.explorer}
      className="flex min-h-0 shrink-0 flex-col bg-canvas"
      style={{ width }}
    >
      <ViewHeading view={view} />
      <div className="min-h-0 flex-1 overflow-auto">
        <ViewFrame key={view.id} view={view} />
      </div>
    </aside>
  );
}

// The right panel: its views as tabs. On a middling screen it is a drawer over the centre.
const drawerWidth = 400;

export function SideDock({ width, isDrawer }: { width: number; isDrawer: boolean }) {
  const text = useText();
  const chosen = useLayout(({ sideView }) => sideView);
  const value = sideViews.some(({ id }) => id === chosen) ? chosen : (sideViews[0]?.id ?? '');
  const items = sideViews.map((view) => ({
    id: view.id,
    label: view.label(text),
    icon: view.icon,
    badge: <CountBadge view={view} />,
  }));
  const close = (): void => changeLayout({ isDrawerOpen: false });
  return (
    <aside
      id="side"
      tabIndex={-1}
      aria-label={text.frame.sidePanel}
      style={{ width: isDrawer ? Math.max(width, drawerWidth) : width }}
      onKeyDown={({ key }) => isDrawer && key === 'Escape' && close()}
      className={cx(
        'flex min-h-0 max-w-[85vw] shrink-0 flex-col bg-surface',
        // Its shadow falls on the centre alone, not on the bars above and below.
        isDrawer &&
          'absolute inset-y-0 right-0 z-30 border-l border-line shadow-floating [clip-path:inset(0_0_0_-3rem)]',
      )}
    >
      <Tabs
        label={text.frame.sidePanel}
        items={items}
        value={value}
        onChange={(sideView) => changeLayout({ sideView })}
        end={
          isDrawer && (
            <span className="px-1.5">
              <IconButton icon={X} label={text.ui.close} size="small" onClick={close} />
            </span>
          )
        }
      >
        {sideViews.map((view) => (
          <TabPanel key={view.id} id={view.id}>
            <ViewFrame view={view} />
          </TabPanel>
        ))}
      </Tabs>
    </aside>
  );
}
