// A unified diff in colours, line by line.
import { visible } from '@codelab/protocol';
import { cx } from '../../ui/cx.ts';

export function DiffText({ text }: { text: string }) {
  return text.split('\n').map((line, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line's name is its place.
    <span key={at} className={cx('-mx-3 block min-h-[1.125rem] px-3', lookOf(line))}>
      {visible(line)}
    </span>
  ));
}

function lookOf(line: string): string {
  if (/^(\+\+\+|---|diff |index )/.test(line)) return 'text-muted';
  if (line.startsWith('@@')) return 'text-accent';
  if (line.startsWith('+')) return 'bg-added';
  if (line.startsWith('-')) return 'bg-removed';
  return '';
}
