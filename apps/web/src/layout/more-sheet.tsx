// The places a narrow screen has no room for in its bar.
import { useText } from '../text/use-text.ts';
import { cx } from '../ui/cx.ts';
import { Dialog } from '../ui/dialog.tsx';
import type { View } from '../view.ts';
import { CountBadge } from './count-badge.tsx';
import { showView } from './show-view.ts';

type Props = { views: readonly View[]; isShown(view: View): boolean; isOpen: boolean; onClose(): void };

export function MoreSheet({ views, isShown, isOpen, onClose }: Props) {
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
