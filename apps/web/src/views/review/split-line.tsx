// One line of a diff side by side: what stood there on the left, what stands there on the right. Long lines move under their half.
import type { DiffHunk } from '@codelab/protocol';
import { DiffLineText } from '../../diff/diff-line-text.tsx';
import type { DiffLine, PairRow } from '../../diff/hunk-rows.ts';
import type { Painted } from '../../diff/paint-hunk.ts';
import type { Whitespace } from '../../diff/spell-line.ts';
import { usePaint } from '../../diff/use-paint.ts';
import { cx } from '../../ui/cx.ts';

type Look = { whitespace: Whitespace; isCrlf: boolean; digits: number };
type Props = Look & { row: PairRow; hunk: DiffHunk; path: string };

export function SplitLine({ row: { left, right }, hunk, path, ...look }: Props) {
  const common = { ...look, paint: usePaint(hunk, path) };
  return (
    <div className="sticky left-0 grid h-5 w-(--review-width) grid-cols-2 font-mono text-small leading-5 whitespace-pre">
      <Half line={left} partner={left === right ? undefined : right} number={left?.old} {...common} />
      <Half line={right} partner={left === right ? undefined : left} number={right?.new} {...common} />
    </div>
  );
}

type HalfProps = Look & {
  paint: Painted | undefined;
  line: DiffLine | undefined;
  partner: DiffLine | undefined;
  number: number | undefined;
};

function Half({ line, partner, number, digits, paint, ...look }: HalfProps) {
  if (line === undefined) return <div className="border-l border-line bg-sunken/60" />;
  const tint = line.sign === '+' ? 'bg-added' : line.sign === '-' ? 'bg-removed' : '';
  return (
    <div className={cx('flex min-w-0 overflow-hidden border-l border-line', tint)}>
      <span
        className="shrink-0 pr-2 text-right text-faint tabular-nums select-none"
        style={{ width: `calc(${digits}ch + 1.25rem)` }}
      >
        {number}
      </span>
      <span className="min-w-0 flex-1 overflow-hidden">
        <span className="inline-block [transform:translateX(var(--review-shift,0))]">
          <DiffLineText line={line} partner={partner} strokes={paint?.get(line)} {...look} />
        </span>
      </span>
    </div>
  );
}
