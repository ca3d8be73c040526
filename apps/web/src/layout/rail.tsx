// The rail at the left edge: which view stands beside it, and the views that open as a tab.
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { findView } from '../views.ts';
import { hideLeft, openTab, showLeft, useLayout } from './layout-store.ts';
import { leftViews, railTabs, useLeftView } from './sorted-views.ts';
import { CountBadge } from './view-frame.tsx';

export function Rail() {
  const text = useText();
  const activeTab = useLayout((layout) => layout.activeTab);
  const isWhole = useLayout(({ activeTab: tab }) => findView(tab)?.isWholeWindow === true);
  const leftView = useLeftView()?.id;
  // A view that takes the whole window hides the column beside the rail.
  const shown = isWhole ? undefined : leftView;
  const conversation = findView('conversation');
  const toggle = (id: string): void => {
    if (shown === id) hideLeft();
    else {
      if (isWhole) openTab('conversation');
      showLeft(id);
    }
  };
  return (
    <nav
      aria-label={text.frame.places}
      className="flex w-11 shrink-0 flex-col items-center gap-1 border-r border-line bg-canvas py-2"
    >
      {leftViews.map((view) => (
        <IconButton
          isHintBeside
          key={view.id}
          icon={view.icon}
          label={view.label(text)}
          isActive={shown === view.id}
          aria-pressed={shown === view.id}
          onClick={() => toggle(view.id)}
        >
          <CountBadge view={view} isCorner />
        </IconButton>
      ))}
      {leftViews.length > 0 && <span aria-hidden className="my-1 h-px w-5 bg-line" />}
      {[...(conversation ? [conversation] : []), ...railTabs].map((view) => (
        <IconButton
          isHintBeside
          key={view.id}
          icon={view.icon}
          label={view.label(text)}
          isActive={activeTab === view.id}
          onClick={() => openTab(view.id)}
        >
          <CountBadge view={view} isCorner />
        </IconButton>
      ))}
    </nav>
  );
}
