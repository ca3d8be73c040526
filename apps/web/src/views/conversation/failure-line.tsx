// Why a call went wrong, in one line below its card's head.
import { type Failure, visibleLine } from '@codelab/protocol';

export function FailureLine({ error }: { error: Failure }) {
  return (
    <p className="flex items-baseline gap-2 border-t border-line px-3 py-1 text-small">
      <span className="shrink-0 font-mono text-tiny text-bad">{error.code}</span>
      <span className="min-w-0 truncate text-muted">{visibleLine(error.message.slice(0, 300))}</span>
    </p>
  );
}
