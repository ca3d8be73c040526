// A view of a unified diff: only the lines on the screen are rendered, however long it is.
import { type DiffHunk, hunkHeader, readDiff, visibleLine } from '@codelab/protocol';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import { cx } from '../ui/cx.ts';
import { UnifiedLine } from './diff-line.tsx';
import { fileChange } from './file-name.ts';
import { hunkRows, type UnifiedRow } from './hunk-rows.ts';
import { diffLineEndings } from './line-ending.ts';

type Row =
  | { kind: 'file'; path: string; from: string | undefined }
  | { kind: 'hunk'; text: string }
  | { kind: 'line'; row: UnifiedRow; hunk: DiffHunk; path: string; isCrlf: boolean };

type Props = { text: string; label: string; hasFileNames?: boolean; className?: string };

const rowHeight = 20;

export function UnifiedDiff({ text, label, hasFileNames = true, className }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const { rows, digits } = useMemo(() => rowsOf(text, hasFileNames), [text, hasFileNames]);
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 20,
    useFlushSync: false,
  });
  return (
    <section
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
      tabIndex={0}
      className={cx('overflow-auto bg-surface focus-visible:-outline-offset-2', className)}
    >
      <div className="relative w-max min-w-full" style={{ height: virtual.getTotalSize() }}>
        {/* What is above keeps its room, so that what is shown widens the box as plain text would. */}
        <div style={{ height: virtual.getVirtualItems()[0]?.start ?? 0 }} />
        {virtual.getVirtualItems().map(({ index }) => {
          const row = rows[index];
          return row === undefined ? null : <DiffRow key={index} row={row} digits={digits} />;
        })}
      </div>
    </section>
  );
}

function DiffRow({ row, digits }: { row: Row; digits: number }) {
  switch (row.kind) {
    case 'file':
      return (
        <div className="h-5 truncate bg-canvas px-2 font-mono text-small leading-5 font-semibold">
          {row.from !== undefined && <span className="text-muted">{visibleLine(row.from)} → </span>}
          {visibleLine(row.path)}
        </div>
      );
    case 'hunk':
      return (
        <div className="h-5 truncate px-2 font-mono text-tiny leading-5 text-accent">
          {visibleLine(row.text)}
        </div>
      );
    case 'line':
      return (
        <UnifiedLine
          row={row.row}
          hunk={row.hunk}
          path={row.path}
          whitespace="changed"
          isCrlf={row.isCrlf}
          digits={digits}
        />
      );
  }
}

function rowsOf(text: string, hasFileNames: boolean): { rows: Row[]; digits: number } {
  const rows: Row[] = [];
  let highest = 1;
  for (const file of readDiff(text)) {
    const { path, from } = fileChange(file);
    if (hasFileNames) rows.push({ kind: 'file', path, from: from === path ? undefined : from });
    const isCrlf = diffLineEndings(file).before === 'crlf';
    for (const hunk of file.hunks) {
      rows.push({ kind: 'hunk', text: hunkHeader(hunk) });
      for (const row of hunkRows(hunk).unified) rows.push({ kind: 'line', row, hunk, path, isCrlf });
      highest = Math.max(highest, hunk.oldStart + hunk.oldLines, hunk.newStart + hunk.newLines);
    }
  }
  return { rows, digits: String(highest).length };
}
