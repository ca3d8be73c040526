// The tab bar of a narrow screen: the conversation first, then the other views; it scrolls sideways.
import { useSession } from '../session/session-store.ts';
import { useText } from '../text/use-text.ts';
import { cx } from '../ui/cx.ts';
import type { View } from '../view.ts';
import { findView } from '../views.ts';
import { CountBadge } from './count-badge.tsx';
import { useLayout } from './layout-store.ts';
import { usePhone } from './phone-store.ts';
import { showView } from './show-view.ts';
import { leftViews, railTabs, sideViews } from './sorted-views.ts';

export function BottomBar() {
  const text = useText();
  const pane = usePhone((state) => state.pane);
  const activeTab = useLayout((layout) => layout.activeTab);
  const conversation = findView('conversation');
  const all = [...(conversation ? [conversation] : []), ...leftViews, ...sideViews, ...railTabs];
  const isShown = ({ id, place }: View): boolean =>
    place === 'main' ? pane === 'main' && activeTab === id : pane === id;
  return (
    <nav
      aria-label={text.frame.places}
      className="flex shrink-0 overflow-x-auto border-t border-line bg-canvas pb-[env(safe-area-inset-bottom)]"
    >
      {all.map((view) => (
        <BottomTab key={view.id} view={view} isShown={isShown(view)} />
      ))}
    </nav>
  );
}

function BottomTab({ view, isShown }: { view: View; isShown: boolean }) {
  const text = useText();
  const waiting = useSession(({ pending }) => (view.id === 'conversation' ? pending.length : 0));
  const Icon = view.icon;
  return (
    <button
      type="button"
      aria-current={isShown ? 'page' : undefined}
      onClick={() => showView(view.id)}
      className={cx(
        'relative flex h-13 min-w-16 shrink-0 grow flex-col items-center justify-center gap-0.5 px-2 text-tiny whitespace-nowrap',
        isShown ? 'font-semibold text-accent' : 'text-muted',
      )}
    >
      <span className="relative">
        <Icon aria-hidden className="size-5" />
        <CountBadge view={view} isCorner />
        {waiting > 0 && (
          <span aria-hidden className="absolute -top-0.5 -right-1 size-2 rounded-full bg-warn" />
        )}
      </span>
      <span>{view.label(text)}</span>
    </button>
  );
}
