// The beginning of a change, as a card shows it; the whole of it is the review's matter.
import { type ApprovalRequest, type Diff, visibleLine } from '@codelab/protocol';
import { type ReactNode, useMemo } from 'react';
import type { DiffFile } from '../../diff/diff-file.ts';
import { fileChange } from '../../diff/file-name.ts';
import { hunkRows } from '../../diff/hunk-rows.ts';
import { lineEndings } from '../../diff/line-ending.ts';
import { readDiff } from '../../diff/read-diff.ts';
import { UnifiedLine } from '../../diff/unified-line.tsx';
import { hunkHeader } from '../../diff/write-diff.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { openReview } from '../review/open-review.ts';

// Read whole it could be megabytes; nobody sees more of it here.
const mostText = 20_000;
const mostRows = 24;

export function DiffPreview({ approval, diff }: { approval: ApprovalRequest; diff: Diff }) {
  const words = useText().approval;
  const { rows, isCut } = useMemo(() => previewOf(diff.text), [diff.text]);
  return (
    <section aria-label={words.changes} className="overflow-hidden rounded-base border border-line">
      <header className="flex items-center gap-2 border-b border-line bg-canvas px-2 py-1 text-small">
        <span className="flex-1 text-muted">{words.changes}</span>
        <Badge className="font-mono">
          <span className="text-good">+{diff.additions}</span>
          <span className="text-bad">−{diff.deletions}</span>
        </Badge>
      </header>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard. */}
      <div className="max-h-64 overflow-auto bg-surface focus-visible:-outline-offset-2" tabIndex={0}>
        {rows}
      </div>
      {(isCut || diff.truncated) && (
        <footer className="border-t border-line bg-canvas px-2 py-1">
          {diff.truncated && <p className="text-small text-warn">{words.cutDiff}</p>}
          <Button size="small" tone="quiet" onClick={() => openReview(approval)}>
            {words.showWhole}
          </Button>
        </footer>
      )}
    </section>
  );
}

function previewOf(text: string): { rows: ReactNode[]; isCut: boolean } {
  const rows: ReactNode[] = [];
  let lines = 0;
  for (const [at, file] of readDiff(text.slice(0, mostText)).entries()) {
    if (lines >= mostRows) break;
    rows.push(<FileHead key={`f${at}`} file={file} />);
    for (const [i, hunk] of file.hunks.entries()) {
      if (lines >= mostRows) break;
      rows.push(
        <div key={`h${at}.${i}`} className="px-2 font-mono text-tiny leading-5 text-accent">
          {visibleLine(hunkHeader(hunk))}
        </div>,
      );
      const isCrlf = lineEndings(file).before === 'crlf';
      for (const row of hunkRows(hunk).unified) {
        if (lines++ >= mostRows) break;
        rows.push(
          <UnifiedLine key={`l${lines}`} row={row} whitespace="changed" isCrlf={isCrlf} digits={4} />,
        );
      }
    }
  }
  return { rows, isCut: lines >= mostRows || text.length > mostText };
}

function FileHead({ file }: { file: DiffFile }) {
  const { path, from } = fileChange(file);
  return (
    <div className="sticky left-0 px-2 pt-1 font-mono text-small font-semibold wrap-anywhere">
      {from !== undefined && from !== path && <span className="text-muted">{visibleLine(from)} → </span>}
      {visibleLine(path)}
    </div>
  );
}
