// The facts for a decision: the effect of the call, then the reasons for the approval. Everything else is in the details.
import { type ApprovalRequest, type BlastRadius, type Touch, visible, visibleLine } from '@codelab/protocol';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useId } from 'react';
import { usePhrases } from '../../../text/phrases.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Badge } from '../../../ui/badge.tsx';
import { cx } from '../../../ui/cx.ts';
import { ApprovalDetails, Arguments } from './approval-details.tsx';
import { CommandLine } from './command-line.tsx';
import { DiffPreview } from './diff-preview.tsx';
import { fewNotes, isRedirected } from './plan-facts.ts';

type Props = { approval: ApprovalRequest; areDetailsOpen: boolean; onDetails(isOpen: boolean): void };

export function ApprovalFacts({ approval, areDetailsOpen, onDetails }: Props) {
  const words = useViewText().approval;
  const id = useId();
  const { plan, verdict, again } = approval;
  const spoken = usePhrases();
  return (
    <div className="flex flex-col gap-2">
      {again !== undefined && (
        <p className="rounded-base bg-warn-soft px-2 py-1 text-small text-warn wrap-anywhere">
          <strong>{words.again}:</strong> {visibleLine(again)}
        </p>
      )}
      <PlanEffects approval={approval} />
      <Warnings touches={plan.touches} blast={plan.blast} />
      {spoken
        .plan(plan)
        .notes.slice(0, fewNotes)
        .map((note, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same may be noted twice.
          <p key={at} className="text-small wrap-anywhere">
            {visibleLine(note)}
          </p>
        ))}
      <div className="flex items-start gap-3 text-small">
        <p className="min-w-0 flex-1 wrap-anywhere">
          {isAsked(approval) && (
            <>
              <span className="text-muted">{words.why}:</span> {visibleLine(spoken.reason(verdict))}{' '}
            </>
          )}
          <Confinement approval={approval} />
        </p>
        <DetailsButton id={id} isOpen={areDetailsOpen} onChange={onDetails} />
      </div>
      {areDetailsOpen && <ApprovalDetails id={id} approval={approval} />}
    </div>
  );
}

/** A question of the agent's own is put to people by itself: no rule asks. */
function isAsked({ plan, verdict }: ApprovalRequest): boolean {
  return plan.question === undefined || verdict.verdict !== 'allow';
}

/** The effect of the call as a question, a command or a diff; else its arguments. */
export function PlanEffects({ approval, isShort = false }: { approval: ApprovalRequest; isShort?: boolean }) {
  const { question, command, diff, touches } = approval.plan;
  const spoken = usePhrases();
  const hasDiff = diff !== undefined && diff.text !== '';
  const isUnsaid = question === undefined && command === undefined && !hasDiff && touches.length === 0;
  return (
    <>
      {question !== undefined && (
        <p className="max-h-72 overflow-auto text-read whitespace-pre-wrap wrap-anywhere">
          {visible(question.message)}
        </p>
      )}
      {command !== undefined && <CommandLine command={command} reason={spoken.reason(approval.verdict)} />}
      {hasDiff && <DiffPreview approval={approval} diff={diff} isShort={isShort} />}
      {isUnsaid && Object.keys(approval.args).length > 0 && <Arguments args={approval.args} />}
    </>
  );
}

/** Warnings: where a path really leads, and what could not be undone. */
function Warnings({ touches, blast }: { touches: readonly Touch[]; blast: BlastRadius | undefined }) {
  const words = useViewText().approval;
  const lines: ReactNode[] = touches.filter(isRedirected).map(({ asked, path, access }) => (
    <>
      {words.access[access]} <code className="font-mono">{visibleLine(path)}</code>{' '}
      {words.askedAs(visibleLine(JSON.stringify(asked)))}
    </>
  ));
  if (blast !== undefined && blast.untracked !== null && blast.untracked > 0)
    lines.push(words.untracked(blast.untracked));
  if (blast !== undefined && blast.linksLeaving > 0) lines.push(words.linksLeaving(blast.linksLeaving));
  if (lines.length === 0) return null;
  return (
    <ul className="text-small font-medium text-warn">
      {lines.slice(0, fewWarnings).map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same place may be touched twice.
        <li key={at} className="wrap-anywhere">
          {line}
        </li>
      ))}
      {lines.length > fewWarnings && <li>{words.andMore(lines.length - fewWarnings)}</li>}
    </ul>
  );
}

const fewWarnings = 4;

/** Only what is out of the ordinary: a command that nothing holds, or one with the network. */
function Confinement({ approval: { plan } }: { approval: ApprovalRequest }) {
  const words = useViewText().approval;
  if (plan.command === undefined) return null;
  const { sandbox, network } = plan.command.confinement;
  return (
    <>
      {sandbox === 'none' && <Badge tone="high">{words.notSandboxedShort}</Badge>}{' '}
      {network && <Badge tone="warn">{words.networkShort}</Badge>}
    </>
  );
}

type DetailsButtonProps = { id: string; isOpen: boolean; onChange(isOpen: boolean): void };

function DetailsButton({ id, isOpen, onChange }: DetailsButtonProps) {
  const words = useViewText().approval;
  return (
    <button
      type="button"
      aria-expanded={isOpen}
      aria-controls={isOpen ? id : undefined}
      aria-keyshortcuts="D"
      onClick={() => onChange(!isOpen)}
      className="flex shrink-0 items-center gap-1 rounded-small text-muted hover:text-text"
    >
      <ChevronRight
        aria-hidden
        className={cx('size-3.5 shrink-0 transition-transform', isOpen && 'rotate-90')}
      />
      {words.details}
    </button>
  );
}
