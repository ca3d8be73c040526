// One call: what it does, how it stands, how long it took; unfolded, what it was given and what came of it.

import { type Failure, type Kind, visibleLine } from '@codelab/protocol';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useId, useState } from 'react';
import { create } from 'zustand';
import { Markdown } from '../../markdown/markdown.tsx';
import type { CallView, Inner } from '../../session/session-model.ts';
import { useCall } from '../../session/session-store.ts';
import { duration } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { RiskBadge } from '../../ui/risk-badge.tsx';
import { CallBody } from './call-body.tsx';
import { CallStateMark } from './call-state-mark.tsx';
import { useCatalogue } from './catalogue-store.ts';
import { LiveOutput } from './command-output.tsx';
import { kindIcons } from './kind-icons.ts';
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

/** What a sub-agent said and did, inside the call that started it. */
type Props = { inner: readonly Inner[]; renderCall(callId: string): ReactNode };

function InnerCalls({ inner, renderCall }: Props) {
  const words = useText().conversation;
  return (
    <section
      aria-label={words.subAgent(inner.length)}
      className="flex flex-col gap-2 border-l-2 border-line pl-3"
    >
      <h4 className="text-small font-medium text-muted">{words.subAgent(inner.length)}</h4>
      {inner.map((part) =>
        part.kind === 'call' ? (
          <div key={part.key}>{renderCall(part.callId)}</div>
        ) : (
          <Markdown key={part.key} text={part.text} />
        ),
      )}
    </section>
  );
}

/** How long a call has run: counted by the second while it does. */
function CallDuration({ view: { startedAt, outcome, state } }: { view: CallView }) {
  const isRunning = state === 'running' && startedAt !== undefined;
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    if (!isRunning) return;
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, [isRunning]);
  const ms = isRunning ? Math.max(0, now - startedAt) : outcome?.durationMs;
  // Less than a blink says nothing.
  if (ms === undefined || ms < (isRunning ? 1000 : 50)) return null;
  return (
    <span className="shrink-0 text-small text-muted tabular-nums">
      {duration(isRunning ? Math.floor(ms / 1000) * 1000 : ms)}
    </span>
  );
}

/** Why a call went wrong, in one line below its card's head. */
function FailureLine({ error }: { error: Failure }) {
  return (
    <p className="flex items-baseline gap-2 border-t border-line px-3 py-1 text-small">
      <span className="shrink-0 font-mono text-tiny text-bad">{error.code}</span>
      <span className="min-w-0 truncate text-muted">{visibleLine(error.message.slice(0, 300))}</span>
    </p>
  );
}

/** What a call does to the world. The catalogue says it by tool; where that is not known, the plan shows it. */
function kindOf({ call, approval, plan }: CallView, kinds: ReadonlyMap<string, Kind>): Kind {
  const known = approval?.kind ?? kinds.get(call.tool);
  if (known !== undefined) return known;
  if (plan === undefined) return 'think';
  if (plan.command !== undefined) return 'execute';
  if (plan.question !== undefined) return 'ask';
  const accesses = new Set(plan.touches.map(({ access }) => access));
  if (accesses.has('delete')) return 'delete';
  if (accesses.has('write') || accesses.has('create') || plan.diff !== undefined) return 'edit';
  return accesses.has('read') ? 'read' : 'think';
}

/** Which cards are unfolded. Kept here, for a row that scrolls out of sight is gone. */
const useOpened = create<{ opened: ReadonlyMap<string, boolean> }>(() => ({ opened: new Map() }));

/** `isOpenAtFirst` holds until the reader has said otherwise. */
function useOpen(id: string, isOpenAtFirst: boolean): [isOpen: boolean, toggle: () => void] {
  const isOpen = useOpened(({ opened }) => opened.get(id)) ?? isOpenAtFirst;
  const toggle = (): void =>
    useOpened.setState(({ opened }) => ({ opened: new Map(opened).set(id, !isOpen) }));
  return [isOpen, toggle];
}
