// The inside of a call's card: its arguments, the verdict, the diff and the result.
import {
  type Failure,
  lossNotes,
  outsideCall,
  sandboxCauses,
  type Verdict,
  visible,
  visibleLine,
} from '@codelab/protocol';
import { ChevronRight, CircleAlert, ShieldAlert } from 'lucide-react';
import { type ReactNode, Suspense, useState } from 'react';
import { errorText, errorWords } from '../../../error-help.ts';
import { loadLater } from '../../../load-later.ts';
import { TextWithPaths } from '../../../markdown/file-link.tsx';
import type { CallModel } from '../../../session/session-model.ts';
import { usePhrases } from '../../../text/phrases.ts';
import { useText } from '../../../text/use-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Spinner } from '../../../ui/spinner.tsx';
import { toastError } from '../../../ui/toast.tsx';
import { rerunOutsideSandbox } from '../composer/commands.ts';
import { OutputBlock } from './command-output.tsx';

const UnifiedDiff = loadLater(async () => ({
  default: (await import('../../../diff/unified-diff.tsx')).UnifiedDiff,
}));

/** `children` come last: what a sub-agent did. */
export function CallBody({ view, children }: { view: CallModel; children?: ReactNode }) {
  const words = useText().conversation;
  const { call, plan, verdict, outcome, output } = view;
  const result = outcome?.status === 'completed' ? readResult(outcome.data) : undefined;
  return (
    <div className="flex flex-col gap-2.5 border-t border-line px-3 py-2.5">
      <p className="flex flex-wrap items-center gap-1.5 text-small text-muted">
        <Badge className="font-mono">{visibleLine(call.tool)}</Badge>
        <Suspense fallback={null}>{verdict !== undefined && <Why verdict={verdict} />}</Suspense>
        <Decided view={view} />
      </p>
      {outcome !== undefined && outcome.status !== 'completed' && <CallFailure error={outcome.error} />}
      {plan?.command === undefined && plan?.diff === undefined && Object.keys(call.args).length > 0 && (
        <OutputBlock label={words.arguments} text={spell(call.args)} />
      )}
      {plan?.diff !== undefined && plan.diff.text !== '' && (
        <div className="flex flex-col gap-1">
          <h4 className="text-small font-medium text-muted">{words.changes}</h4>
          <Suspense fallback={<Spinner label={words.changes} />}>
            <UnifiedDiff
              text={plan.diff.text}
              label={words.changes}
              className="max-h-96 rounded-base border border-line"
            />
          </Suspense>
        </div>
      )}
      {outcome === undefined && output !== undefined && <OutputBlock label={words.output} text={output} />}
      {result !== undefined && result.text !== '' && plan?.diff === undefined && (
        <OutputBlock
          label={result.isOutput ? words.output : words.result}
          text={result.text}
          hasFailed={result.hasFailed}
        />
      )}
      {result?.hasFailed && <ExitBadge code={result.exitCode ?? 0} />}
      {children}
    </div>
  );
}

/** In Russian and Chinese its words are loaded when the first card is unfolded. */
function Why({ verdict }: { verdict: Verdict }) {
  const words = useText().conversation;
  const spoken = usePhrases();
  return (
    <span>
      {words.because}: {visibleLine(spoken.reason(verdict))}{' '}
      <span className="font-mono text-tiny">({verdict.rule})</span>
    </span>
  );
}

function ExitBadge({ code }: { code: number }) {
  const words = useText().conversation;
  return (
    <Badge tone="bad" className="self-start">
      {words.exitCode(code)}
    </Badge>
  );
}

function Decided({ view: { decision, decidedBy } }: { view: CallModel }) {
  const words = useText().conversation;
  if (decision === undefined || decidedBy === undefined) return null;
  const isNo = decision.kind === 'reject';
  const who = visibleLine(decidedBy.who);
  return <Badge tone={isNo ? 'bad' : 'good'}>{isNo ? words.rejectedBy(who) : words.approvedBy(who)}</Badge>;
}

function spell(args: Record<string, unknown>): string {
  return Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value, null, 2)}`)
    .join('\n');
}

/** Why a call did not do what it should, in one sentence; the code, the rest and what helps are folded. */
function CallFailure({ error }: { error: Failure }) {
  const text = useText();
  const words = text.conversation;
  const [what, next] = errorWords(text, error.code);
  const { sentence, detail } = errorText(error.message);
  const nextStep = next !== '' && (
    <p className="text-small text-muted">
      {words.nextStep}
      {words.colon}
      {next}
    </p>
  );
  return (
    <div className="flex gap-2 rounded-base border border-bad/30 bg-bad-soft px-3 py-2">
      <CircleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-bad" />
      <div className="flex min-w-0 flex-1 flex-col gap-1 wrap-anywhere">
        {what !== '' && <p>{what}</p>}
        <p className={what === '' ? undefined : 'text-small text-muted'}>{visible(sentence)}</p>
        {/* Where the message is not in the reader's language, it doesn't say what to do either. */}
        {what !== '' && nextStep}
        <details className="group/details">
          <summary className="inline-flex items-center gap-1 rounded-small text-small text-muted select-none hover:text-text">
            <ChevronRight
              aria-hidden
              className="size-3.5 transition-transform group-open/details:rotate-90"
            />
            {words.errorDetails}
          </summary>
          <p className="mt-1 font-mono text-small text-bad">{error.code}</p>
          {detail !== '' && (
            <pre className="mt-1 font-mono text-small whitespace-pre-wrap">
              <TextWithPaths text={visible(detail)} />
            </pre>
          )}
          {what === '' && nextStep}
        </details>
      </div>
    </div>
  );
}

// The part of a result that is read first: output or content, by the names of the fields; else all of it.
type Result = { text: string; isOutput: boolean; exitCode: number | undefined; hasFailed: boolean };

const readable = ['content', 'text', 'output', 'message', 'diff'];

function readResult(data: Record<string, unknown>): Result {
  const exitCode = typeof data.exit_code === 'number' ? data.exit_code : undefined;
  const exit = { exitCode, hasFailed: exitCode !== undefined && exitCode !== 0 };
  if (typeof data.stdout === 'string' || typeof data.stderr === 'string') {
    // Files that were moved to the quarantine after a command must be seen without opening anything.
    const quarantineNotes =
      data.held_back !== undefined && Array.isArray(data.notes) ? data.notes.slice(0, 1) : [];
    const text = [data.stdout, data.stderr, ...quarantineNotes]
      .filter((part) => typeof part === 'string' && part !== '')
      .join('\n');
    return { text, isOutput: true, ...exit };
  }
  for (const name of readable) {
    const value = data[name];
    if (typeof value === 'string') return { text: value, isOutput: false, ...exit };
  }
  const isEmpty = Object.keys(data).length === 0;
  return { text: isEmpty ? '' : JSON.stringify(data, null, 2), isOutput: false, ...exit };
}

// Below a command that removed or changed something for good: no undo would bring it back, so it is seen without opening anything.
export function LossWarning({ view: { outcome } }: { view: CallModel }) {
  const notes = lossNotes(outcome).map(visibleLine);
  if (notes.length === 0) return null;
  return (
    <div className="flex items-center gap-2 border-t border-line bg-warn-soft px-3 py-2 text-small text-warn">
      <ShieldAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 wrap-anywhere">{notes.join(' ')}</span>
    </div>
  );
}

// Below a command that failed because of the sandbox: what it was kept from, and the button that asks to run it outside.
export function SandboxCause({ view: { call, outcome } }: { view: CallModel }) {
  const words = useText().conversation;
  const [isAsking, setIsAsking] = useState(false);
  const outside = outsideCall(call, outcome);
  if (outside === undefined) return null;
  // The rest of each note is advice for the model.
  const causes = sandboxCauses(outcome).map((cause) => visibleLine(cause.split('. ')[0] ?? cause));
  const ask = (): void => {
    setIsAsking(true);
    rerunOutsideSandbox(outside)
      .catch(toastError)
      .finally(() => setIsAsking(false));
  };
  return (
    <div className="flex flex-wrap items-center gap-2 border-t border-line bg-warn-soft px-3 py-2 text-small text-warn">
      <ShieldAlert aria-hidden className="size-4 shrink-0" />
      <span className="min-w-0 flex-1 basis-60 wrap-anywhere">{causes.join(' ')}</span>
      <Button size="small" disabled={isAsking} onClick={ask}>
        {words.runOutside}
      </Button>
    </div>
  );
}
