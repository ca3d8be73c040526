// Markdown as it comes from a model: every finished line is given back once, ready for the screen; what is still being written can be
// looked at meanwhile. Control characters are inert throughout.
import type { Paint } from '../../output/paint.ts';
import { shownText } from '../../output/shown-text.ts';
import { createMarkdownReader } from './markdown-reader.ts';
import type { LinkOf } from './path-links.ts';

export type MarkdownStream = {
  push(delta: string): string[];
  /** What has begun and is not finished. */
  partial(): string[];
  end(): string[];
};

export type MarkdownSetting = { columns(): number; paint: Paint; linkOf?: LinkOf | undefined };

/** A line without an end is cut here, so that looking at it never gets slow. */
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
      return withoutSpareBlanks(lines.flatMap((line) => reader.take(shown(line))));
    },
    partial: () => reader.look(shown(rest)),
    end() {
      const left = withoutSpareBlanks([...(rest === '' ? [] : reader.take(shown(rest))), ...reader.end()]);
      rest = '';
      isAfterBlank = true;
      return left;
    },
  };
}

function shown(line: string): string {
  return shownText(line.replace(/\r$/, '')).replaceAll('\t', '    ');
}
