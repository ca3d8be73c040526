// The card of a call: its title, state and duration; unfolded, its arguments and its result.

import {
  type FailedTest,
  type Failure,
  failedTests,
  type Kind,
  type TestCounts,
  testCounts,
  visible,
} from '@codelab/protocol';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useEffect, useId, useMemo, useState } from 'react';
import { errorText, errorWords } from '../../../error-help.ts';
import { Markdown } from '../../../markdown/markdown.tsx';
import { failedExit, outputOf, tellingLines } from '../../../session/command-exit.ts';
import type { CallModel, SubAgentEntry } from '../../../session/session-model.ts';
import { useCall } from '../../../session/session-store.ts';
import { duration } from '../../../text/format.ts';
import { useText } from '../../../text/use-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { useCatalogue } from '../composer/catalogue-store.ts';
import { isOwnCommand } from '../composer/commands.ts';
import { useOpen } from '../kept-place.ts';
import { CallBody, LossWarning, SandboxCause } from './call-body.tsx';
import { CallStateMark, kindIcons, titleOf } from './call-labels.tsx';
import { LiveOutput } from './command-output.tsx';
import { FailedTestList } from './failed-tests.tsx';

export function CallCard({ callId }: { callId: string }) {
  const call = useCall(callId);
  return call === undefined ? null : <Card view={call} />;
}

function Card({ view }: { view: CallModel }) {
  const id = useId();
  const kind = useCatalogue(({ kinds }) => kindOf(view, kinds));
  const run = useCommandRun(kind === 'execute' ? view : undefined);
  const hasFailed =
    run.exit !== undefined || (view.outcome !== undefined && view.outcome.status !== 'completed');
  // A command that the person typed is unfolded; one inside a turn is not, because the message to the model follows with all of its output.
  const [isOpen, toggle] = useOpen(view.id, isOwnCommand(view.id) && view.call.turn === undefined);
  return (
    <section
      aria-labelledby={id}
      data-call={view.id}
      className={cx('overflow-hidden rounded-base border', borderOf(view, { hasFailed, isOpen }))}
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
        <HeadLine id={id} view={view} kind={kind} run={run} />
      </button>
      {run.failed.length > 0 && <FailedTestList tests={run.failed} />}
      {!isOpen && <FoldedResult view={view} run={run} />}
      <LossWarning view={view} />
      <SandboxCause view={view} />
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

/** How a command ended: its exit code where it failed, and what a test runner among its programs reported. */
type CommandRun = {
  exit: number | undefined;
  counts: TestCounts | undefined;
  failed: readonly FailedTest[];
};

function useCommandRun(view: CallModel | undefined): CommandRun {
  const { outcome } = view ?? {};
  return useMemo(() => {
    const exit = failedExit(outcome);
    const output = outputOf(outcome);
    // A run that exits well may print a failed test, as the fixture of another one.
    return { exit, counts: testCounts(output), failed: exit === undefined ? [] : failedTests(output) };
  }, [outcome]);
}

/** Calls that went well have no border: many of them read like lines, not like boxes. */
function borderOf(
  { state }: CallModel,
  { hasFailed, isOpen }: { hasFailed: boolean; isOpen: boolean },
): string {
  if (state === 'awaiting_approval') return 'border-warn/60 bg-raised';
  if (hasFailed) return 'border-bad/40 bg-raised';
  return isOpen || state === 'running' ? 'border-line bg-raised' : 'border-transparent';
}

type HeadProps = { id: string; view: CallModel; kind: Kind; run: CommandRun };

function HeadLine({ id, view, kind, run: { exit, counts } }: HeadProps) {
  const words = useText().conversation;
  const Icon = kindIcons[kind];
  const diff = view.plan?.diff;
  return (
    <>
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="sr-only">{words.kind[kind]}</span>
      <span id={id} className={cx('min-w-0 flex-1 truncate', kind === 'execute' && 'font-mono text-small')}>
        {titleOf(view)}
      </span>
      {/* The card of the question says the rest while it waits. */}
      {diff !== undefined && view.state !== 'awaiting_approval' && (
        <DiffCount added={diff.additions} removed={diff.deletions} />
      )}
      {counts !== undefined && <TestBadge counts={counts} />}
      {/* On a phone the command itself says more. */}
      <CallDuration view={view} isQuiet={counts !== undefined} />
      <CallStateMark state={view.state} exit={exit} />
    </>
  );
}

/** Below the head of a folded card: why the call failed, the last lines of a command that failed, or what a running one prints. */
function FoldedResult({
  view: { state, outcome, output },
  run: { exit, failed },
}: {
  view: CallModel;
  run: CommandRun;
}) {
  if (outcome !== undefined && 'error' in outcome) return <FailureLine error={outcome.error} />;
  // Where the names of failed tests are all that was found, the end of the output may say why.
  const isUntold =
    exit !== undefined && failed.every(({ lines, reason }) => lines.length === 0 && reason === '');
  const end = isUntold ? tellingLines(outputOf(outcome), 5) : '';
  if (end !== '') return <LiveOutput hasFailed text={end} />;
  return state === 'running' && output !== undefined ? <LiveOutput text={output} /> : null;
}

/** How many tests passed and failed. */
function TestBadge({ counts: { passed, failed } }: { counts: TestCounts }) {
  const words = useText().conversation;
  return (
    <>
      {failed > 0 && <Badge tone="bad">{words.testsFailed(failed)}</Badge>}
      {passed > 0 && (
        <Badge tone="good" className={failed > 0 ? 'max-two:hidden' : ''}>
          {words.testsPassed(passed)}
        </Badge>
      )}
    </>
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

/** The messages and calls of a sub-agent, inside the call that started it. */
type Props = { inner: readonly SubAgentEntry[]; renderCall(callId: string): ReactNode };

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
function CallDuration({
  view: { startedAt, outcome, state },
  isQuiet,
}: {
  view: CallModel;
  isQuiet: boolean;
}) {
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
    <span className={cx('shrink-0 text-small text-muted tabular-nums', isQuiet && 'max-two:hidden')}>
      {duration(isRunning ? Math.floor(ms / 1000) * 1000 : ms)}
    </span>
  );
}

/** Why a call went wrong, in one sentence below its card's head. */
function FailureLine({ error }: { error: Failure }) {
  const text = useText();
  const [what] = errorWords(text, error.code);
  return (
    <p className="flex items-baseline gap-2 border-t border-line px-3 py-1 text-small">
      <span className="line-clamp-2 min-w-0 flex-1 wrap-anywhere">
        {what !== '' && `${what}${text.conversation.colon}`}
        {visible(errorText(error.message).sentence)}
      </span>
      <span className="shrink-0 font-mono text-tiny text-muted max-two:hidden">{error.code}</span>
    </p>
  );
}

/** The kind of a call: from the catalogue of tools, else from the plan. */
function kindOf({ call, approval, plan }: CallModel, kinds: ReadonlyMap<string, Kind>): Kind {
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
