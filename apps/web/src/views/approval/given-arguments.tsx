// The arguments in one line; unfolded, all of them as JSON.
import { visible, visibleLine } from '@codelab/protocol';
import { ChevronRight } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';

const longest = 160;
// Whoever wants to read more than this has the file itself.
const most = 200_000;

export function GivenArguments({ args }: { args: Record<string, unknown> }) {
  const words = useText().approval;
  const [isOpen, setIsOpen] = useState(false);
  const line = useMemo(() => visibleLine(JSON.stringify(args).slice(0, longest)), [args]);
  return (
    <div className="min-w-0 text-small">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full min-w-0 items-center gap-1 rounded-small text-left text-muted hover:text-text"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-3.5 shrink-0 transition-transform', isOpen && 'rotate-90')}
        />
        <span className="shrink-0">{words.arguments}</span>
        {!isOpen && <code className="min-w-0 truncate font-mono text-tiny">{line}</code>}
      </button>
      {isOpen && (
        <pre className="mt-1 max-h-80 overflow-auto rounded-base bg-sunken px-3 py-2 font-mono whitespace-pre-wrap wrap-anywhere">
          {visible(JSON.stringify(args, null, 2).slice(0, most))}
        </pre>
      )}
    </div>
  );
}
