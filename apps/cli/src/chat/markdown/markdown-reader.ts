// Reads Markdown line by line and remembers where it stands: in code, in a table, or in neither.
import { type BlockSetting, blockLines } from './block-lines.ts';
import { coloursFor } from './code-colours.ts';
import type { Highlighter } from './highlight.ts';
import { paintSpans, type TextSpan, wrapSpans } from './span.ts';
import { tableLines } from './table-lines.ts';

export type MarkdownReader = {
  /** The lines for the screen that this one completes. */
  take(line: string): string[];
  /** A line that is still being written, and what waits to be completed before it. */
  look(line: string): string[];
  end(): string[];
};

/** `blanks`: empty lines that are shown only when code follows them. */
type Fence = { mark: string; language: string; blanks: number; colours: Highlighter | undefined };

const longestTable = 200;

export function createMarkdownReader(now: () => BlockSetting): MarkdownReader {
  let fence: Fence | undefined;
  let table: string[] = [];

  function flushTable(): string[] {
    const rows = table;
    table = [];
    return rows.length === 0 ? [] : tableLines(rows, now());
  }
  function take(line: string): string[] {
    if (fence !== undefined) {
      if (!closes(line, fence)) return takeCode(line, fence, now());
      fence = undefined;
      return [];
    }
    if (line.trimStart().startsWith('|')) {
      table.push(line);
      return table.length < longestTable ? [] : flushTable();
    }
    const before = flushTable();
    const opened = /^\s*(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/.exec(line);
    if (opened === null) return [...before, ...blockLines(line, now())];
    const [, mark = '', language = ''] = opened;
    fence = { mark, language, blanks: 0, colours: coloursFor(language) };
    return [...before, ...(language === '' ? [] : [now().paint('dim', `  ╶ ${language}`)])];
  }
  return {
    take,
    look(line) {
      const before = table.length === 0 ? [] : tableLines(table, now());
      if (line === '' || /^\s*(?:`{2,}|~{3,})/.test(line)) return before;
      return [
        ...before,
        ...(fence === undefined ? blockLines(line, now()) : codeLines(line, plain(fence), now())),
      ];
    },
    end() {
      fence = undefined;
      return flushTable();
    },
  };
}

/** A line that is still being written must not end or begin a comment for those after it. */
function plain(fence: Fence): Fence {
  return { ...fence, colours: coloursFor(fence.language) };
}

function takeCode(line: string, fence: Fence, setting: BlockSetting): string[] {
  if (line.trim() === '') {
    fence.blanks++;
    return [];
  }
  const before = Array.from({ length: fence.blanks }, () => '  ');
  fence.blanks = 0;
  return [...before, ...codeLines(line, fence, setting)];
}

function closes(line: string, { mark }: Fence): boolean {
  const bare = line.trim();
  return bare.length >= mark.length && bare === mark.charAt(0).repeat(bare.length);
}

function codeLines(line: string, fence: Fence, { columns, paint }: BlockSetting): string[] {
  const spans = isDiff(fence)
    ? diffSpans(line)
    : (fence.colours?.(line) ?? [{ text: line, formats: ['cyan'] }]);
  return wrapSpans(spans, Math.max(20, columns - 2)).map((part) => `  ${paintSpans(part, paint)}`);
}

function isDiff({ language }: Fence): boolean {
  return language === 'diff' || language === 'patch';
}

function diffSpans(line: string): TextSpan[] {
  if (/^(?:---|\+\+\+|diff |index )/.test(line)) return [{ text: line, formats: ['bold'] }];
  if (line.startsWith('@@')) return [{ text: line, formats: ['cyan'] }];
  if (line.startsWith('+')) return [{ text: line, formats: ['green'] }];
  return [{ text: line, formats: line.startsWith('-') ? ['red'] : [] }];
}
