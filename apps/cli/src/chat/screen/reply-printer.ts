// Prints the model's text as it streams: each finished line once, with a blank line between text and steps.
import { visibleLine } from '@codelab/protocol';
import type { Paint } from '../../output/paint.ts';
import { shownText } from '../../output/shown-text.ts';
import { wrapText } from '../../output/text-width.ts';
import { createMarkdownStream } from '../markdown/markdown-stream.ts';
import type { LinkOf } from '../markdown/path-links.ts';

export type ReplyPrinter = {
  text(delta: string): void;
  reasoning(delta: string): void;
  /** The reply is complete; the part that was not streamed is printed now. */
  endReply(text: string): void;
  end(): void;
  say(lines: readonly string[]): void;
  /** Prints a step, separated from the text. */
  report(lines: readonly string[]): void;
  live(): string[];
};

export type ReplyPrinterOptions = {
  columns(): number;
  paint: Paint;
  print(lines: readonly string[]): void;
  linkOf?: LinkOf | undefined;
};

const keptReasoning = 600;
const reasoningRows = 2;

export function createReplyPrinter({ columns, paint, print, linkOf }: ReplyPrinterOptions): ReplyPrinter {
  const markdown = createMarkdownStream({ columns, paint, linkOf });
  let reasoning = '';
  let hasText = false;
  let isAfterReport = false;
  let isAfterBlank = false;

  function printLines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    if (isAfterReport && lines[0] !== '') print(['']);
    isAfterReport = false;
    isAfterBlank = lines.at(-1) === '';
    print(lines);
  }
  function end(): void {
    printLines(markdown.end());
    reasoning = '';
  }
  return {
    text(delta) {
      if (delta !== '') hasText = true;
      printLines(markdown.push(delta));
    },
    reasoning(delta) {
      reasoning = (reasoning + delta).slice(-keptReasoning);
    },
    endReply(text) {
      if (!hasText) printLines(markdown.push(text));
      hasText = false;
      end();
    },
    end,
    say: printLines,
    report(lines) {
      if (lines.length === 0) return;
      print(isAfterReport || isAfterBlank ? lines : ['', ...lines]);
      isAfterReport = true;
      isAfterBlank = false;
    },
    live() {
      const rows = reasoning.trim() === '' ? [] : wrapText(visibleLine(reasoning.trim()), columns() - 2);
      const text = markdown.partial();
      return [
        ...rows.slice(-reasoningRows).map((line) => paint(['dim', 'italic'], `  ${line.trimEnd()}`)),
        ...(isAfterReport && text.length > 0 ? ['', ...text] : text),
      ];
    },
  };
}

/** The user's message as it stays on the screen. */
const mostLines = 12;

export function userLines(text: string, { paint, columns }: { paint: Paint; columns: number }): string[] {
  const lines = shownText(text)
    .replaceAll('\t', '    ')
    .trimEnd()
    .split('\n')
    .flatMap((line) => wrapText(line, Math.max(20, columns - 2)));
  const hidden = lines.length - mostLines;
  const shownLines = hidden > 0 ? lines.slice(0, mostLines) : lines;
  return [
    ...shownLines.map((line, i) => `${paint('cyan', i === 0 ? '❯' : ' ')} ${paint('bold', line)}`),
    ...(hidden > 0 ? [paint('dim', `  … ${hidden} more lines`)] : []),
  ];
}
