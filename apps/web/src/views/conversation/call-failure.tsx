// Why a call did not do what it should: its code, what is wrong, and what helps.
import { type Failure, visible } from '@codelab/protocol';
import { CircleAlert } from 'lucide-react';
import { errorHelp } from '../../error-help.ts';
import { useText } from '../../text/use-text.ts';

export function CallFailure({ error }: { error: Failure }) {
  const words = useText().conversation;
  const next = errorHelp(error.code);
  return (
    <div className="flex gap-2 rounded-base border border-bad/30 bg-bad-soft px-3 py-2">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="min-w-0 wrap-anywhere">
        <p className="font-mono text-small font-medium text-bad">{error.code}</p>
        <p className="whitespace-pre-wrap">{visible(error.message)}</p>
        {next !== undefined && (
          <p className="text-small text-muted">
            {words.nextStep}: {next}
          </p>
        )}
      </div>
    </div>
  );
}
