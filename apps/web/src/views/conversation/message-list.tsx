// The list of what was said and done. Only what is near the window is rendered, however long the session is.
import { useVirtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { useRef } from 'react';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Announcer } from './announcer.tsx';
import { EntryRow } from './entry-row.tsx';
import { LiveReply } from './live-reply.tsx';
import { useStickyBottom } from './use-sticky-bottom.ts';

const guessedHeight = 72;

export function MessageList() {
  const text = useText();
  const count = useSession(({ entries }) => entries.length);
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { isAway, toBottom, isStuck } = useStickyBottom(scroller, content);
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => guessedHeight,
    getItemKey: (at) => useSessionStore.getState().model.entries[at]?.key ?? at,
    overscan: 6,
    // One starts at the end, where the latest is.
    initialOffset: () => count * guessedHeight,
    useFlushSync: false,
  });
  // Held at the bottom, the list is moved by what sticks it there; two movers would tremble.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = (item, _delta, { scrollOffset }) =>
    !isStuck() && item.start < (scrollOffset ?? 0);
  return (
    <div className="relative min-h-0 flex-1">
      <div
        ref={scroller}
        role="log"
        // Rows come and go with scrolling, which nobody wants read aloud; what is new is said below.
        aria-live="off"
        aria-label={text.conversation.log}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        className="h-full overflow-y-auto overscroll-contain [overflow-anchor:none] focus-visible:-outline-offset-2"
      >
        <div ref={content} className="mx-auto max-w-[52rem] px-3 pt-4 pb-3 two:px-5">
          <div className="relative" style={{ height: virtual.getTotalSize() }}>
            {virtual.getVirtualItems().map(({ key, index, start }) => (
              <div
                key={key}
                data-index={index}
                ref={virtual.measureElement}
                className="absolute inset-x-0 top-0 pb-2"
                style={{ transform: `translateY(${start}px)` }}
              >
                <EntryRow index={index} />
              </div>
            ))}
          </div>
          <LiveReply />
        </div>
      </div>
      <Announcer />
      {isAway && (
        <Button
          size="small"
          icon={<ArrowDown aria-hidden className="size-3.5" />}
          className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full shadow-floating"
          onClick={toBottom}
        >
          {text.conversation.toLatest}
        </Button>
      )}
    </div>
  );
}
