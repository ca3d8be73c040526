// A line of a diff: unified with its numbers and its sign, or side by side with its replacement.
import { type DiffHunk, misleading } from '@codelab/protocol';
import { cx } from '../ui/cx.ts';
import { changedWords } from './changed-words.ts';
import type { DiffLine, PairRow, UnifiedRow } from './hunk-rows.ts';
import type { Painted, Stroke } from './paint-hunk.ts';
import { type LineSpan, spellLine, type Whitespace } from './spell-line.ts';
import { usePaint } from './use-paint.ts';

type Place = { hunk: DiffHunk; path: string };
/** `isCrlf`: the lines around it end with CR LF. */
type Look = { whitespace: Whitespace; isCrlf: boolean; digits: number };
/** A line that can be commented on: its number is the way to it. */
export type LineCommentAction = { label(line: DiffLine): string; begin(line: DiffLine): void };
type Commented = { comment?: LineCommentAction };

export function UnifiedLine({
  row: { line, partner },
  hunk,
  path,
  digits,
  comment,
  ...look
}: Place & Look & Commented & { row: UnifiedRow }) {
  const strokes = usePaint(hunk, path)?.get(line);
  const tint = line.sign === '+' ? 'bg-added' : line.sign === '-' ? 'bg-removed' : '';
  return (
    <div className={cx('flex h-5 min-w-full w-fit font-mono text-small leading-5 whitespace-pre', tint)}>
      <span
        className={cx(
          'held-left flex shrink-0 text-faint tabular-nums select-none',
          tint === '' ? 'bg-surface' : tint,
        )}
      >
        <LineNumber value={line.old} digits={digits} />
        <LineNumber value={line.new} digits={digits} />
        <Sign sign={line.sign} />
        <CommentButton line={line} comment={comment} />
      </span>
      <span className="pr-4">
        <DiffLineText line={line} partner={partner} strokes={strokes} {...look} />
      </span>
    </div>
  );
}

function LineNumber({ value, digits }: { value: number | undefined; digits: number }) {
  return (
    <span className="pl-2 text-right" style={{ width: `calc(${digits}ch + 0.75rem)` }}>
      {value}
    </span>
  );
}

/** Lies over the numbers. The keyboard has a key for it, so that one does not walk through every line. */
function CommentButton({ line, comment }: { line: DiffLine; comment: LineCommentAction | undefined }) {
  if (comment === undefined) return null;
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={comment.label(line)}
      title={comment.label(line)}
      onClick={() => comment.begin(line)}
      className="absolute inset-0 cursor-pointer text-right opacity-0 hover:opacity-100"
    >
      <span aria-hidden className="inline-block w-5 rounded-small bg-accent text-center text-on-accent">
        +
      </span>
    </button>
  );
}

function Sign({ sign }: { sign: string }) {
  return (
    <span className={cx('w-6 text-center', sign === '+' && 'text-good', sign === '-' && 'text-bad')}>
      {sign === '-' ? '−' : sign}
    </span>
  );
}

/** Long lines move under their half. */
export function SplitLine({
  row: { left, right },
  hunk,
  path,
  ...look
}: Place & Look & Commented & { row: PairRow }) {
  const common = { ...look, paint: usePaint(hunk, path) };
  return (
    <div className="held-left grid h-5 w-(--review-width) grid-cols-2 font-mono text-small leading-5 whitespace-pre">
      <Half line={left} partner={left === right ? undefined : right} number={left?.old} {...common} />
      <Half line={right} partner={left === right ? undefined : left} number={right?.new} {...common} />
    </div>
  );
}

type HalfProps = Look &
  Commented & {
    paint: Painted | undefined;
    line: DiffLine | undefined;
    partner: DiffLine | undefined;
    number: number | undefined;
  };

function Half({ line, partner, number, digits, paint, comment, ...look }: HalfProps) {
  if (line === undefined) return <div className="border-l border-line bg-sunken/60" />;
  const tint = line.sign === '+' ? 'bg-added' : line.sign === '-' ? 'bg-removed' : '';
  return (
    <div className={cx('flex min-w-0 overflow-hidden border-l border-line', tint)}>
      <span
        className="relative shrink-0 pr-2 text-right text-faint tabular-nums select-none"
        style={{ width: `calc(${digits}ch + 1.25rem)` }}
      >
        {number}
        <CommentButton line={line} comment={comment} />
      </span>
      <span className="min-w-0 flex-1 overflow-hidden">
        <span className="inline-block [transform:translateX(calc(-1*var(--review-left,0px)))]">
          <DiffLineText line={line} partner={partner} strokes={paint?.get(line)} {...look} />
        </span>
      </span>
    </div>
  );
}

type TextProps = Omit<Look, 'digits'> & {
  line: DiffLine;
  /** The line that stood in its place, or stands there now. */
  partner: DiffLine | undefined;
  /** The colours of its code, where there are any. */
  strokes: readonly Stroke[] | undefined;
};

/** Changed words, hidden characters and whitespace are made visible. Nothing of it is ever HTML. */
function DiffLineText(props: TextProps) {
  const { line } = props;
  const spans = spansOf(props);
  return (
    <>
      {spans.map((span, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a span's name is its place.
        <SpanText key={at} span={span} sign={line.sign} />
      ))}
      {line.isOpen && <span className="text-faint"> ⊘</span>}
    </>
  );
}

function SpanText({
  span: { text, look, isChanged, color },
  sign,
}: {
  span: LineSpan;
  sign: DiffLine['sign'];
}) {
  if (look === 'plain' && !isChanged && color === '') return text;
  return (
    <span
      className={cx(
        color,
        look === 'blank' && (isChanged ? 'text-muted' : 'text-faint'),
        look === 'warning' && 'rounded-small bg-bad-soft text-bad outline outline-bad/60',
        isChanged && (sign === '-' ? 'rounded-small bg-bad/20' : 'rounded-small bg-good/20'),
      )}
    >
      {text}
    </span>
  );
}

function spansOf({ line, partner, whitespace, isCrlf, strokes = [] }: TextProps): LineSpan[] {
  const words =
    partner === undefined
      ? undefined
      : line.sign === '-'
        ? changedWords(line.text, partner.text)
        : changedWords(partner.text, line.text);
  const changed = (line.sign === '-' ? words?.before : words?.after) ?? [];
  const hasCr = line.text.endsWith('\r');
  const expected = partner === undefined ? isCrlf : partner.text.endsWith('\r');
  return spellLine(line.text, {
    changed,
    warnings: misleading(line.text),
    strokes,
    whitespace,
    isChange: line.sign !== ' ',
    hasOddEnd: hasCr && !expected,
  });
}
