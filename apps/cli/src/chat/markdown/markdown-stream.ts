// Markdown as it comes from a model: every finished line is given back once, ready for the screen; what is still being written can be
// looked at meanwhile. Control characters are inert throughout.
import { visible } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { createLineReader } from './line-reader.ts';

export type MarkdownStream = {
  push(delta: string): string[];
  /** What has begun and is not finished. */
  partial(): string[];
  end(): string[];
};

// A line without an end is cut here, so that looking at it never gets slow.
const longestLine = 4000;

export function createMarkdownStream(setting: { columns(): number; paint: Paint }): MarkdownStream {
  const reader = createLineReader(() => ({ columns: setting.columns(), paint: setting.paint }));
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

// What only says how a sign before it is drawn is left out: nothing hides behind it.
function shown(line: string): string {
  const quiet = line.replace(/(?<=\p{Extended_Pictographic}|[0-9#*])\ufe0f/gu, '').replace(/\r$/, '');
  return visible(quiet).replaceAll('\t', '    ');
}
