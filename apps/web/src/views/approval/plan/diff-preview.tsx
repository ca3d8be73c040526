// The beginning of a change, as a card shows it; the review shows all of it.
import {
  type ApprovalRequest,
  type Diff,
  type DiffFile,
  hunkHeader,
  readDiff,
  visibleLine,
} from '@codelab/protocol';
import { type ReactNode, useMemo } from 'react';
import { UnifiedLine } from '../../../diff/diff-line.tsx';
import { fileChange } from '../../../diff/file-name.ts';
import { hunkRows } from '../../../diff/hunk-rows.ts';
import { diffLineEndings } from '../../../diff/line-ending.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { openApprovalReview } from '../answering.ts';

// Read whole it could be megabytes; nobody sees more of it here.
const mostText = 20_000;
const mostRows = 24;
const fewRows = 10;

/** `isShort`: among others of its kind. */
type Props = { approval: ApprovalRequest; diff: Diff; isShort: boolean };

export function DiffPreview({ approval, diff, isShort }: Props) {
  const words = useViewText().approval;
  const most = isShort ? fewRows : mostRows;
  const { rows, isCut, only } = useMemo(() => previewOf(diff.text, most), [diff.text, most]);
  return (
    <section aria-label={words.changes} className="overflow-hidden rounded-base border border-line">
      {/* The card's own heading names the file and counts its lines; where it does not, this does. */}
      {only !== undefined && !approval.plan.summary.includes(fileChange(only).path) && (
        <header className="border-b border-line bg-canvas px-2 py-1 text-small">
          <FileName file={only} />
        </header>
      )}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <div className="overflow-auto bg-surface focus-visible:-outline-offset-2 two:max-h-64" tabIndex={0}>
        {rows}
      </div>
      {(isCut || diff.truncated) && (
        <footer className="border-t border-line bg-canvas px-2 py-1">
          {diff.truncated && <p className="text-small text-warn">{words.cutDiff}</p>}
          <Button size="small" tone="quiet" onClick={() => openApprovalReview(approval)}>
            {words.showWhole}
          </Button>
        </footer>
      )}
    </section>
  );
}

/** A file that is the only one is named above, not among the lines. */
type Preview = { rows: ReactNode[]; isCut: boolean; only: DiffFile | undefined };

function previewOf(text: string, most: number): Preview {
  const rows: ReactNode[] = [];
  const files = readDiff(text.slice(0, mostText));
  const digits = digitsOf(files);
  let lines = 0;
  for (const [at, file] of files.entries()) {
    if (lines >= most) break;
    if (files.length > 1)
      rows.push(
        <div key={`f${at}`} className="sticky left-0 px-2 pt-1">
          <FileName file={file} />
        </div>,
      );
    for (const [i, hunk] of file.hunks.entries()) {
      if (lines >= most) break;
      rows.push(
        <div key={`h${at}.${i}`} className="px-2 font-mono text-tiny leading-5 text-accent">
          {visibleLine(hunkHeader(hunk))}
        </div>,
      );
      const isCrlf = diffLineEndings(file).before === 'crlf';
      for (const row of hunkRows(hunk).unified) {
        if (lines++ >= most) break;
        rows.push(
          <UnifiedLine
            key={`l${lines}`}
            {...{ row, hunk, isCrlf, digits }}
            path={fileChange(file).path}
            whitespace="changed"
          />,
        );
      }
    }
  }
  const only = files.length === 1 ? files[0] : undefined;
  return { rows, only, isCut: lines >= most || text.length > mostText };
}

function digitsOf(files: readonly DiffFile[]): number {
  const last = files.flatMap(({ hunks }) =>
    hunks.map(({ oldStart, oldLines, newStart, newLines }) =>
      Math.max(oldStart + oldLines, newStart + newLines),
    ),
  );
  return String(Math.max(1, ...last)).length;
}

function FileName({ file }: { file: DiffFile }) {
  const { path, from } = fileChange(file);
  return (
    <span className="font-mono text-small font-semibold wrap-anywhere">
      {from !== undefined && from !== path && <span className="text-muted">{visibleLine(from)} → </span>}
      {visibleLine(path)}
    </span>
  );
}
