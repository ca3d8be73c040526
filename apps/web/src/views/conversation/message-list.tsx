// The list of messages and calls. Only rows near the window are rendered, however long the session is.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { ArrowDown } from 'lucide-react';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { honestText } from '../../markdown/honest-text.ts';
import { useOutbox } from '../../session/outbox.ts';
import { registerReader } from '../../session/sections.ts';
import type { Entry } from '../../session/session-model.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { StepGroup } from './calls/step-group.tsx';
import { useCatalogue } from './composer/catalogue-store.ts';
import { useSentCount } from './composer/send-message.ts';
import { type ConversationRow, guessedHeight, rowsOf } from './conversation-rows.ts';
import { EntryRow, LiveReply } from './entry-row.tsx';
import { FindHost } from './find/find-host.tsx';
import { useKeptPlace, useUnfolded } from './kept-place.ts';
import { LiveLine } from './live-line.tsx';
import { useNearSections } from './load-sections.ts';
import { useStickyBottom } from './sticky-bottom.ts';

export function MessageList() {
  const text = useText();
  const rows = useRows();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const { virtual, isAway, toBottom, showRow } = useMessageScroll(rows, scroller, content);
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
          <VirtualRows rows={rows} virtual={virtual} />
          <LiveReply />
          <LiveLine />
          <OutgoingMessages />
        </div>
      </div>
      <Announcer />
      <FindHost rows={rows} scroller={scroller} onShow={showRow} />
      {isAway && (
        // Where questions leave the list no height, the button would lie over the tabs above.
        <div className="pointer-events-none absolute inset-0 flex items-end justify-center pb-3 [container-type:size]">
          <Button
            size="small"
            icon={<ArrowDown aria-hidden className="size-3.5" />}
            className="pointer-events-auto rounded-full shadow-floating [@container_(height<3rem)]:hidden"
            onClick={toBottom}
          >
            {text.conversation.toLatest}
          </Button>
        </div>
      )}
    </div>
  );
}

type Rows = readonly ConversationRow[];
type Virtual = Virtualizer<HTMLDivElement, Element>;
type Box = RefObject<HTMLDivElement | null>;

/** Which rows are rendered, and where the list is scrolled: at its end while it grows, or where somebody reads. */
function useMessageScroll(rows: Rows, scroller: Box, content: Box) {
  const { isAway, toBottom, isStuck, release } = useStickyBottom(scroller, content);
  const session = useSession((model) => model.id);
  const sentCount = useSentCount(({ count }) => count);
  useEffect(() => {
    if (sentCount > 0) toBottom();
  }, [sentCount, toBottom]);
  const virtual: Virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => rows[at]?.height ?? guessedHeight,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 6,
    // A session opens at its end, where the latest message is.
    initialOffset: () => rows.reduce((sum, { height = guessedHeight }) => sum + height, 0),
    useFlushSync: false,
    // Rows that are loaded above keep what is read in its place. Whether the list is at its end, `useStickyBottom` says.
    anchorTo: 'end',
    scrollEndThreshold: Number.NEGATIVE_INFINITY,
  });
  // At its end the list is scrolled by `useStickyBottom`; a second adjustment would make it tremble.
  virtual.shouldAdjustScrollPositionOnItemSizeChange = (item, _delta, { scrollOffset }) =>
    !isStuck() && item.start < (scrollOffset ?? 0);
  useSections(rows, virtual);
  useKeptPlace({ session, rows, scroller, virtual, isStuck, release });
  useUnfolded(session);
  const showRow = (row: number): void => {
    release();
    virtual.scrollToIndex(row, { align: 'center' });
  };
  return { virtual, isAway, toBottom, showRow };
}

/** Says which rows are on the screen, so that sections of the conversation come and go with them. */
function useSections(rows: Rows, virtual: Virtual): void {
  const { startIndex, endIndex } = virtual.range ?? { startIndex: -1, endIndex: -1 };
  const [from, to] = [rows[startIndex]?.key, rows[endIndex]?.key];
  const looked = from === undefined || to === undefined ? undefined : { from, to };
  const latest = useRef({ looked, rows });
  latest.current = { looked, rows };
  useEffect(() => {
    return registerReader({
      lookedAt: () => latest.current.looked,
      heights: (entries) => takeHeights(entries, latest.current.rows, virtual),
    });
  }, [virtual]);
  useNearSections(looked, rows);
}

/** The heights of the rows of these entries. The list forgets them. */
function takeHeights(
  entries: readonly Entry[],
  rows: Rows,
  { itemSizeCache }: Virtual,
): number[] | undefined {
  const keys = new Set(entries.map(({ key }) => key));
  const gone = rows.filter(({ key }) => keys.has(key));
  const heights = gone.map(({ key, height }) => itemSizeCache.get(key) ?? height ?? guessedHeight);
  for (const { key } of gone) itemSizeCache.delete(key);
  return heights.length === 0 ? undefined : heights;
}

function VirtualRows({ rows, virtual }: { rows: Rows; virtual: Virtual }) {
  return (
    <div className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ key, index, start }) => (
        <div
          key={key}
          data-index={index}
          data-row={key}
          ref={virtual.measureElement}
          className={cx('absolute inset-x-0 top-0', rows[index]?.isTight ? 'pb-0.5' : 'pb-2')}
          style={{ transform: `translateY(${start}px)` }}
        >
          <RowOf row={rows[index]} />
        </div>
      ))}
    </div>
  );
}

function useRows(): readonly ConversationRow[] {
  const entries = useSession((model) => model.entries);
  const count = useSession((model) => model.entries.length);
  // A step is known by its call; the first entry of one says whether it belongs to others.
  const calls = useSession((model) => model.calls);
  const known = useSession((model) => model.calls.size);
  const kinds = useCatalogue((catalogue) => catalogue.kinds);
  // biome-ignore lint/correctness/useExhaustiveDependencies: containers grow in place; their sizes tell it.
  return useMemo(() => rowsOf(entries, { calls, kinds }), [entries, count, calls, known, kinds]);
}

function RowOf({ row }: { row: ConversationRow | undefined }) {
  if (row === undefined) return null;
  const isGroup = row.end - row.start > 1;
  return isGroup ? (
    <StepGroup start={row.start} end={row.end} />
  ) : (
    <EntryRow index={row.start} height={row.height} />
  );
}

/** Messages that were sent and are not in the log yet. */
function OutgoingMessages() {
  const words = useText().conversation;
  const id = useSession((model) => model.id);
  const waiting = useOutbox((outbox) => outbox.waiting);
  return waiting
    .filter(({ session }) => session === id)
    .map(({ id: key, text }) => (
      <div key={key} className="flex flex-col items-end gap-1 pt-3">
        <div className="max-w-[85%] rounded-large rounded-br-small bg-accent-soft/60 px-3.5 py-2 text-read whitespace-pre-wrap text-muted wrap-anywhere">
          {honestText(text)}
        </div>
        <span className="text-tiny text-muted">{words.sending}</span>
      </div>
    ));
}

const longest = 500;

/** Has screen readers read the agent's latest message aloud, once it is complete. */
function Announcer() {
  const message = useSession(({ entries }) => {
    const last = entries.at(-1);
    const entry = last?.kind === 'ended' ? entries.at(-2) : last;
    return entry?.kind === 'said' ? entry.text : '';
  });
  return (
    <p aria-live="polite" className="sr-only">
      {honestText(message.slice(0, longest))}
    </p>
  );
}
