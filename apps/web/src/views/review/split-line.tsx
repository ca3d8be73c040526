// One line of a diff side by side: what stood there on the left, what stands there on the right. Long lines move under their half.
import { DiffLineText } from '../../diff/diff-line-text.tsx';
import type { DiffLine, PairRow } from '../../diff/hunk-rows.ts';
import type { Whitespace } from '../../diff/spell-line.ts';
import { cx } from '../../ui/cx.ts';

type Props = { row: PairRow; whitespace: Whitespace; isCrlf: boolean; digits: number };

export function SplitLine({ row: { left, right }, whitespace, isCrlf, digits }: Props) {
  const common = { whitespace, isCrlf, digits };
  return (
    <div className="sticky left-0 grid h-5 w-(--review-width) grid-cols-2 font-mono text-small leading-5 whitespace-pre">
      <Half line={left} partner={left === right ? undefined : right} number={left?.old} {...common} />
      <Half line={right} partner={left === right ? undefined : left} number={right?.new} {...common} />
    </div>
  );
}

type HalfProps = Omit<Props, 'row'> & {
  line: DiffLine | undefined;
  partner: DiffLine | undefined;
  number: number | undefined;
};

function Half({ line, partner, number, digits, ...look }: HalfProps) {
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
          <DiffLineText line={line} partner={partner} {...look} />
        </span>
      </span>
    </div>
  );
}
