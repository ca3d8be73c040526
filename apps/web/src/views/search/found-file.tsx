// The matching lines of one file, each opening the file there.
import type { SearchMatch } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useViewText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { FileIcon } from '../files/file-icon.tsx';
import { openFile } from '../files/open-file.ts';

export function FoundFile({ path, lines }: { path: string; lines: readonly SearchMatch[] }) {
  const words = useViewText().search;
  const [isOpen, setIsOpen] = useState(true);
  const at = path.lastIndexOf('/') + 1;
  return (
    <li className="[contain-intrinsic-size:auto_6rem] [content-visibility:auto]">
      <button
        type="button"
        data-found
        aria-expanded={isOpen}
        title={visibleLine(path)}
        onClick={() => setIsOpen(!isOpen)}
        className="flex h-7 w-full items-center gap-1.5 px-2 text-left max-two:h-9 hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-3.5 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        <FileIcon name={path} />
        <span className="max-w-full shrink-0 truncate">{visibleLine(path.slice(at))}</span>
        <span className="min-w-0 flex-1 truncate text-small text-faint">
          {visibleLine(path.slice(0, Math.max(0, at - 1)))}
        </span>
        <span className="shrink-0 rounded-full bg-hover px-1.5 text-tiny text-muted">
          {lines.length}
          <span className="sr-only"> {words.lines}</span>
        </span>
      </button>
      {isOpen && (
        <ul>
          {lines.map((line) => (
            <Line key={`${line.line} ${line.column}`} found={line} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Line({ found }: { found: SearchMatch }) {
  const { path, line, column } = found;
  const { before, match, after } = aroundMatch(found);
  return (
    <li>
      <button
        type="button"
        data-found
        onClick={() => openFile(path, { line, column })}
        className="flex h-6 w-full items-center gap-2 pr-2 pl-7.5 max-two:h-9 text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <span className="w-7 shrink-0 text-right font-mono text-tiny text-faint">{line}</span>
        <span className="min-w-0 flex-1 truncate font-mono text-small text-muted">
          {before}
          <mark className="rounded-small bg-warn/30 text-text">{match}</mark>
          {after}
        </span>
      </button>
    </li>
  );
}

// A found line is cut to what stands around its match, so that the match is in sight in a narrow column.
const mostBefore = 16;
const mostAfter = 200;

export function aroundMatch({ text, column, match }: SearchMatch): {
  before: string;
  match: string;
  after: string;
} {
  // A column may count bytes of a line with wide characters: the text itself tells.
  const at = text.startsWith(match, column - 1) ? column - 1 : Math.max(0, text.indexOf(match));
  const lead = text.slice(0, at).trimStart();
  const before = lead.length > mostBefore ? `…${lead.slice(-mostBefore)}` : lead;
  const after = text.slice(at + match.length, at + match.length + mostAfter);
  return { before: visibleLine(before), match: visibleLine(match), after: visibleLine(after.trimEnd()) };
}
