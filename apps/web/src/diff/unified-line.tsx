// One line of a unified diff: its numbers, its sign, its text.
import type { DiffHunk } from '@codelab/protocol';
import { cx } from '../ui/cx.ts';
import { DiffLineText } from './diff-line-text.tsx';
import type { UnifiedRow } from './hunk-rows.ts';
import type { Whitespace } from './spell-line.ts';
import { usePaint } from './use-paint.ts';

type Props = {
  row: UnifiedRow;
  hunk: DiffHunk;
  path: string;
  whitespace: Whitespace;
  isCrlf: boolean;
  digits: number;
};

export function UnifiedLine({ row: { line, partner }, hunk, path, digits, ...look }: Props) {
  const strokes = usePaint(hunk, path)?.get(line);
  const tint = line.sign === '+' ? 'bg-added' : line.sign === '-' ? 'bg-removed' : '';
  return (
    <div className={cx('flex h-5 min-w-full w-fit font-mono text-small leading-5 whitespace-pre', tint)}>
      <span
        className={cx(
          'sticky left-0 flex shrink-0 text-faint tabular-nums select-none',
          tint === '' ? 'bg-surface' : tint,
        )}
      >
        <LineNumber value={line.old} digits={digits} />
        <LineNumber value={line.new} digits={digits} />
        <Sign sign={line.sign} />
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

function Sign({ sign }: { sign: string }) {
  return (
    <span className={cx('w-6 text-center', sign === '+' && 'text-good', sign === '-' && 'text-bad')}>
      {sign === '-' ? '−' : sign}
    </span>
  );
}
