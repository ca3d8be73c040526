// Output of programs with its colours, as far as they are names.
import { useMemo } from 'react';
import { cx } from '../../ui/cx.ts';
import { type AnsiColor, parseAnsi } from './parse-ansi.ts';

const looks: Record<AnsiColor, string> = {
  red: 'text-bad',
  green: 'text-good',
  yellow: 'text-warn',
  blue: 'text-accent',
  magenta: 'text-[var(--syntax-keyword)]',
  cyan: 'text-[var(--syntax-type)]',
  faint: 'text-faint',
};

export function AnsiText({ text }: { text: string }) {
  const spans = useMemo(() => parseAnsi(text), [text]);
  return spans.map(({ text: part, color, isBold }, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a span's name is its place.
    <span key={at} className={cx(color && looks[color], isBold && 'font-semibold')}>
      {part}
    </span>
  ));
}
