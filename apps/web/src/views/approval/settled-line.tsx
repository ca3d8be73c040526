// What became of an approval: who decided, how, and when.
import { type Decision, visibleLine } from '@codelab/protocol';
import { CircleCheck, CircleX, Clock } from 'lucide-react';
import type { CallView } from '../../session/session-model.ts';
import { clockTime } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';

export function SettledLine({ call }: { call: CallView | undefined }) {
  const words = useText().approval;
  const { decision, decidedBy, decidedAt } = call ?? {};
  if (decision === undefined || decidedBy === undefined)
    return (
      <p role="status" className="flex items-center gap-1.5 text-muted">
        <Clock aria-hidden className="size-4 shrink-0" />
        {call?.state === 'expired' ? words.expired : words.over}
      </p>
    );
  const isNo = decision.kind === 'reject';
  const Icon = isNo ? CircleX : CircleCheck;
  return (
    <p role="status" className="flex flex-wrap items-center gap-x-1.5 wrap-anywhere">
      <Icon aria-hidden className={`size-4 shrink-0 ${isNo ? 'text-bad' : 'text-good'}`} />
      <span className="font-medium">{spell(decision, visibleLine(decidedBy.who), words)}</span>
      <span className="text-small text-muted">
        {visibleLine(decidedBy.via)}
        {decidedAt !== undefined && ` · ${clockTime(decidedAt)}`}
      </span>
      {'feedback' in decision && decision.feedback !== undefined && (
        <span className="text-muted">“{visibleLine(decision.feedback)}”</span>
      )}
    </p>
  );
}

function spell(decision: Decision, who: string, words: ReturnType<typeof useText>['approval']): string {
  switch (decision.kind) {
    case 'approve':
      return words.approved(who);
    case 'edit':
      return words.edited(who);
    case 'hunks':
      return words.partly(who);
    case 'reject':
      return words.rejected(who);
    case 'answer':
      return words.answered(who, visibleLine(decision.action));
  }
}
