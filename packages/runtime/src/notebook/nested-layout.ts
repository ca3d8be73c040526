/** The layout of a container inside one: on lines of its own one step deeper, or all on one line. */
import type { Layout } from './layout-of.ts';

export function nestedLayout({ first, next, close, colon }: Layout): Layout {
  if (!first.includes('\n')) return { first: '', next, close: '', colon };
  const step = first.startsWith(close) ? first.slice(close.length) : '';
  return { first: first + step, next: first + step, close: first, colon };
}
