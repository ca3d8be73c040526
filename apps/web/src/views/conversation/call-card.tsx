// One call: what it does, how it stands, how long it took; unfolded, what it was given and what came of it.
import { ChevronRight } from 'lucide-react';
import { useId } from 'react';
import type { CallView } from '../../session/session-model.ts';
import { useCall } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { RiskBadge } from '../../ui/risk-badge.tsx';
import { CallBody } from './call-body.tsx';
import { CallDuration } from './call-duration.tsx';
import { CallStateMark } from './call-state-mark.tsx';
import { useCatalogue } from './catalogue-store.ts';
import { FailureLine } from './failure-line.tsx';
import { InnerCalls } from './inner-calls.tsx';
import { kindIcons } from './kind-icons.ts';
import { kindOf } from './kind-of.ts';
import { LiveOutput } from './live-output.tsx';
import { useOpen } from './open-store.ts';
import { titleOf } from './title-of.ts';

export function CallCard({ callId }: { callId: string }) {
  const call = useCall(callId);
  return call === undefined ? null : <Card view={call} />;
}

function Card({ view }: { view: CallView }) {
  const id = useId();
  const words = useText().conversation;
  const kind = useCatalogue(({ kinds }) => kindOf(view, kinds));
  const isBad = view.outcome !== undefined && view.outcome.status !== 'completed';
  const [isOpen, toggle] = useOpen(view.id, false);
  const Icon = kindIcons[kind];
  const diff = view.plan?.diff;
  return (
    <section
      aria-labelledby={id}
      data-call={view.id}
      className={cx(
        'overflow-hidden rounded-base border bg-raised',
        view.state === 'awaiting_approval' ? 'border-warn/60' : isBad ? 'border-bad/40' : 'border-line',
      )}
    >
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={toggle}
        className="flex w-full items-center gap-2 px-2.5 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-3.5 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        <Icon aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="sr-only">{words.kind[kind]}</span>
        <span id={id} className={cx('min-w-0 flex-1 truncate', kind === 'execute' && 'font-mono text-small')}>
          {titleOf(view)}
        </span>
        {diff !== undefined && <DiffCount added={diff.additions} removed={diff.deletions} />}
        {view.state === 'awaiting_approval' && view.plan !== undefined && <RiskBadge risk={view.plan.risk} />}
        <CallDuration view={view} />
        <CallStateMark state={view.state} />
      </button>
      {!isOpen && view.outcome !== undefined && 'error' in view.outcome && (
        <FailureLine error={view.outcome.error} />
      )}
      {!isOpen && view.state === 'running' && view.output !== undefined && <LiveOutput text={view.output} />}
      {isOpen && (
        <CallBody view={view}>
          {view.inner.length > 0 && (
            <InnerCalls inner={view.inner} renderCall={(callId) => <CallCard callId={callId} />} />
          )}
        </CallBody>
      )}
    </section>
  );
}

function DiffCount({ added, removed }: { added: number; removed: number }) {
  return (
    <Badge className="font-mono">
      <span className="text-good">+{added}</span>
      <span className="text-bad">−{removed}</span>
    </Badge>
  );
}
