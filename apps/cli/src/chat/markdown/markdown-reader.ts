// Reads Markdown line by line and remembers whether the line is in code, in a table, or in neither.
import { type CodeFence, closesFence, readMarkdownLine } from '@codelab/protocol';
import { type BlockSetting, blockLines } from './block-lines.ts';
import { coloursFor } from './code-colours.ts';
import type { Highlighter } from './highlight.ts';
import { paintSpans, type TextSpan, wrapSpans } from './span.ts';
import { tableLines } from './table-lines.ts';

export type MarkdownReader = {
  /** The lines for the screen that this line completes. */
  take(line: string): string[];
  /** The lines for the screen of an unfinished line, and of a table that is not complete before it. */
  preview(line: string): string[];
  end(): string[];
};

/** `blanks`: empty lines that are shown only when code follows them. */
type OpenCode = { fence: CodeFence; blanks: number; colours: Highlighter | undefined };

const longestTable = 200;

export function createMarkdownReader(now: () => BlockSetting): MarkdownReader {
  let code: OpenCode | undefined;
  let table: string[] = [];

  function flushTable(): string[] {
    const rows = table;
    table = [];
    return rows.length === 0 ? [] : tableLines(rows, now());
  }
  function take(line: string): string[] {
    if (code !== undefined) {
      if (!closesFence(line, code.fence)) return takeCode(line, code, now());
      code = undefined;
      return [];
    }
    if (line.trimStart().startsWith('|')) {
      table.push(line);
      return table.length < longestTable ? [] : flushTable();
    }
    const before = flushTable();
    const fence = readMarkdownLine(line);
    if (fence.type !== 'fence') return [...before, ...blockLines(line, now())];
    const { language } = fence;
    code = { fence, blanks: 0, colours: coloursFor(language) };
    return [...before, ...(language === '' ? [] : [now().paint('dim', `  ╶ ${language}`)])];
  }
  return {
    take,
    preview(line) {
      const before = table.length === 0 ? [] : tableLines(table, now());
      if (line === '' || /^\s*(?:`{2,}|~{3,})/.test(line)) return before;
      return [
        ...before,
        ...(code === undefined ? blockLines(line, now()) : codeLines(line, restarted(code), now())),
      ];
    },
    end() {
      code = undefined;
      return flushTable();
    },
  };
}

/** Colours of their own: a line that is still being written must not open or close a comment for the lines after it. */
function restarted(code: OpenCode): OpenCode {
  return { ...code, colours: coloursFor(code.fence.language) };
}

function takeCode(line: string, code: OpenCode, setting: BlockSetting): string[] {
  if (line.trim() === '') {
    code.blanks++;
    return [];
  }
  const before = Array.from({ length: code.blanks }, () => '  ');
  code.blanks = 0;
  return [...before, ...codeLines(line, code, setting)];
}

function codeLines(line: string, { fence, colours }: OpenCode, { columns, paint }: BlockSetting): string[] {
  const spans = isDiff(fence) ? diffSpans(line) : (colours?.(line) ?? [{ text: line, formats: ['cyan'] }]);
  return wrapSpans(spans, Math.max(20, columns - 2)).map((part) => `  ${paintSpans(part, paint)}`);
}

function isDiff({ language }: CodeFence): boolean {
  return language === 'diff' || language === 'patch';
}

function diffSpans(line: string): TextSpan[] {
  if (/^(?:---|\+\+\+|diff |index )/.test(line)) return [{ text: line, formats: ['bold'] }];
  if (line.startsWith('@@')) return [{ text: line, formats: ['cyan'] }];
  if (line.startsWith('+')) return [{ text: line, formats: ['green'] }];
  return [{ text: line, formats: line.startsWith('-') ? ['red'] : [] }];
}
