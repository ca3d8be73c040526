// Markdown as a model streams it: each finished line is returned once, ready for the screen, and the unfinished rest can be drawn
// meanwhile. Control characters are shown as marks.
import type { Paint } from '../../output/paint.ts';
import { shownText } from '../../output/shown-text.ts';
import { createMarkdownReader } from './markdown-reader.ts';
import type { LinkOf } from './path-links.ts';

export type MarkdownStream = {
  push(delta: string): string[];
  /** The lines that have begun and are not finished. */
  partial(): string[];
  end(): string[];
};

export type MarkdownSetting = { columns(): number; paint: Paint; linkOf?: LinkOf | undefined };

/** A longer line without an end is cut here, so that drawing it stays fast. */
const longestLine = 4000;

export function createMarkdownStream({ columns, ...setting }: MarkdownSetting): MarkdownStream {
  const reader = createMarkdownReader(() => ({ ...setting, columns: columns() }));
  let rest = '';
  let isAfterBlank = true;
  function withoutSpareBlanks(lines: readonly string[]): string[] {
    return lines.filter((line) => {
      const isSpare = line === '' && isAfterBlank;
      isAfterBlank = line === '';
      return !isSpare;
    });
  }
  return {
    push(delta) {
      const lines = (rest + delta).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > longestLine) {
        lines.push(rest);
        rest = '';
      }
      return withoutSpareBlanks(lines.flatMap((line) => reader.take(printable(line))));
    },
    partial: () => reader.preview(printable(rest)),
    end() {
      const lines = withoutSpareBlanks([
        ...(rest === '' ? [] : reader.take(printable(rest))),
        ...reader.end(),
      ]);
      rest = '';
      isAfterBlank = true;
      return lines;
    },
  };
}

function printable(line: string): string {
  return shownText(line.replace(/\r$/, '')).replaceAll('\t', '    ');
}
