// The lines of a review. Only what is near the window is rendered, so twenty thousand lines scroll like twenty.
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, type RefObject, useEffect, useMemo, useRef } from 'react';
import { type LineCommentAction, SplitLine, UnifiedLine } from '../../diff/diff-line.tsx';
import { useViewText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { type ReviewRow, reviewRows, rowHeight, widthsOf } from './review-rows.ts';
import { type HunkChooser, type ReviewLook, useReviewLook } from './review-session.ts';
import { FileRow, HunkRow } from './row-heads.tsx';

/** Scrolls to an item. */
export type Reveal = (key: string) => void;

type Props = { session: HunkChooser; isSplit: boolean; reveal: RefObject<Reveal | undefined> };

export function ReviewList({ session, isSplit, reveal }: Props) {
  const words = useViewText().review;
  const { review, notes } = session;
  const { whitespace } = useReviewLook();
  const scroller = useRef<HTMLElement>(null);
  const rows = useMemo(() => reviewRows(review, isSplit, notes), [review, isSplit, notes]);
  const widths = useMemo(() => widthsOf(review.files), [review.files]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: (at) => rowHeight(rows[at]),
    overscan: 12,
    useFlushSync: false,
  });
  // Split and unified have other heights at the same places.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rows are what changed.
  useEffect(() => virtual.measure(), [rows, virtual]);
  useWidth(scroller);
  reveal.current = (key) => {
    const at = rows.findIndex((row) => row.kind === 'hunk' && row.item.key === key);
    if (at >= 0) virtual.scrollToIndex(Math.max(0, at - 1), { align: 'start' });
  };
  return (
    <section
      ref={scroller}
      aria-label={words.list}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
      tabIndex={0}
      data-review-list
      className="min-h-0 flex-1 overflow-auto overscroll-contain [tab-size:4] [overflow-anchor:none] [--held-position:relative] outline-none"
    >
      <div className="relative" style={{ height: virtual.getTotalSize(), ...contentWidth(isSplit, widths) }}>
        {virtual.getVirtualItems().map(({ index, start }) => (
          <Row
            key={index}
            row={rows[index]}
            start={start}
            session={session}
            whitespace={whitespace}
            digits={widths.digits}
          />
        ))}
      </div>
    </section>
  );
}

type RowProps = {
  row: ReviewRow | undefined;
  start: number;
  session: HunkChooser;
  whitespace: ReviewLook['whitespace'];
  digits: number;
};

// While one scrolls, a row that stays in sight has nothing new to show.
const Row = memo(function Row({ row, start, ...look }: RowProps) {
  if (row === undefined) return null;
  const isLeft = 'item' in row && row.kind !== 'hunk' && !row.item.isTaken && look.session.canChoose;
  return (
    <div
      className={cx('absolute inset-x-0 [contain:layout_style]', isLeft && 'left-out')}
      style={{ height: rowHeight(row), top: start }}
    >
      <RowContent row={row} {...look} />
    </div>
  );
});

type ContentProps = Omit<RowProps, 'start' | 'row'> & { row: ReviewRow };

function RowContent({ row, session, whitespace, digits }: ContentProps) {
  switch (row.kind) {
    case 'file': {
      const of = session.review.files[row.file];
      return of === undefined ? null : <FileRow session={session} file={row.file} of={of} />;
    }
    case 'hunk':
      return <HunkRow session={session} item={row.item} />;
    case 'note':
      return <div className="sticky left-0 h-full w-(--review-width)">{row.content}</div>;
    case 'line':
      return (
        <UnifiedLine
          row={row.row}
          hunk={row.hunk}
          path={row.path}
          isCrlf={row.isCrlf}
          whitespace={whitespace}
          digits={digits}
          {...commenting(session, row)}
        />
      );
    case 'pair':
      return (
        <SplitLine
          row={row.row}
          hunk={row.hunk}
          path={row.path}
          isCrlf={row.isCrlf}
          whitespace={whitespace}
          digits={digits}
          {...commenting(session, row)}
        />
      );
  }
}

function commenting(
  { comment }: HunkChooser,
  { item }: Extract<ReviewRow, { item: unknown }>,
): { comment?: LineCommentAction } {
  if (comment === undefined) return {};
  return { comment: { label: comment.label, begin: (line) => comment.begin(item, line) } };
}

function contentWidth(
  isSplit: boolean,
  { characters, digits }: ReturnType<typeof widthsOf>,
): { minWidth: string } {
  const gutter = isSplit ? `${digits}ch + 3rem` : `${2 * digits}ch + 5rem`;
  // The list's own font is not the code's: a character of the code is this wide.
  const text = `${characters} * 0.46rem + ${gutter}`;
  return { minWidth: isSplit ? `calc(50% + ${text})` : `calc(${text})` };
}

/** The rows get the width of the window, and how far long lines are scrolled, as CSS variables. */
function useWidth(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const measure = (): void => box.style.setProperty('--review-width', `${box.clientWidth}px`);
    let scrolled = 0;
    // Every line inherits it: it is set only when it is another one.
    const shift = (): void => {
      if (box.scrollLeft === scrolled) return;
      scrolled = box.scrollLeft;
      box.style.setProperty('--review-left', `${scrolled}px`);
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(box);
    box.addEventListener('scroll', shift, { passive: true });
    measure();
    return () => {
      watcher.disconnect();
      box.removeEventListener('scroll', shift);
    };
  }, [scroller]);
}
