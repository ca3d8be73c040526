// The centre: the conversation is always there; other open views are tabs beside it.

import { X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { findView } from '../views.ts';
import { changeLayout, closeTab, type MainTab, useLayout } from './layout-store.ts';
import { DirtyDot, ViewFrame } from './view-frame.tsx';

export function MainArea() {
  const text = useText();
  const open = useLayout(({ tabs }) => tabs);
  const active = useLayout(({ activeTab }) => activeTab);
  const conversation: MainTab = { key: 'conversation', view: 'conversation', param: '', title: '' };
  const tabs = [conversation, ...open.filter(({ view }) => findView(view) !== undefined)];
  const shown = tabs.find(({ key }) => key === active) ?? conversation;
  const isTalk = shown === conversation;
  const view = findView(shown.view);
  const conversationView = findView('conversation');
  return (
    <main
      id="main"
      tabIndex={-1}
      aria-label={text.frame.main}
      // It has the focus only when that of something else is gone, and a frame around half the page says nothing.
      className="flex min-h-0 min-w-0 flex-1 flex-col bg-surface outline-none"
    >
      {tabs.length > 1 && <TabStrip tabs={tabs} active={shown.key} />}
      {/* The conversation stays mounted: draft, scroll position and stream go on behind another tab. */}
      {conversationView !== undefined && (
        <div className={cx('min-h-0 flex-1', !isTalk && 'hidden')}>
          <ViewFrame view={conversationView} />
        </div>
      )}
      {!isTalk && view !== undefined && (
        <div key={shown.key} className="min-h-0 flex-1 overflow-auto">
          <ViewFrame view={view} param={shown.param} />
        </div>
      )}
    </main>
  );
}

function TabStrip({ tabs, active }: { tabs: readonly MainTab[]; active: string }) {
  const text = useText();
  return (
    <nav
      aria-label={text.frame.openTabs}
      className="flex h-9 shrink-0 overflow-x-auto border-b border-line bg-canvas [scrollbar-width:none]"
    >
      {tabs.map((tab) => (
        <TabHandle key={tab.key} tab={tab} isActive={tab.key === active} />
      ))}
    </nav>
  );
}

function TabHandle({ tab, isActive }: { tab: MainTab; isActive: boolean }) {
  const text = useText();
  const handle = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) handle.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }, [isActive]);
  const view = findView(tab.view);
  if (view === undefined) return null;
  const Icon = view.icon;
  const name = tab.title === '' ? view.label(text) : tab.title;
  return (
    <div
      ref={handle}
      className={cx(
        'group flex max-w-56 shrink-0 items-center gap-1 border-r border-line pr-1',
        isActive ? 'bg-surface text-text shadow-[inset_0_2px_0_var(--accent)]' : 'text-muted hover:bg-hover',
      )}
    >
      <button
        type="button"
        aria-current={isActive ? 'page' : undefined}
        title={tab.param === '' ? undefined : tab.param}
        onClick={() => changeLayout({ activeTab: tab.key })}
        onAuxClick={({ button }) => button === 1 && tab.key !== 'conversation' && closeTab(tab.key)}
        className="flex h-full min-w-0 items-center gap-1.5 py-1 pr-1 pl-3"
      >
        <Icon aria-hidden className="size-3.5 shrink-0" />
        <span className="truncate text-small">{name}</span>
        <DirtyDot view={view} param={tab.param} />
      </button>
      {tab.key !== 'conversation' && (
        <IconButton
          size="small"
          icon={X}
          label={text.frame.closeTab(name)}
          onClick={() => closeTab(tab.key)}
        />
      )}
    </div>
  );
}
