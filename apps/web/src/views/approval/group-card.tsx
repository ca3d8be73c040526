// The calls of one reply as one group: each with its effect, to decide together or one by one.
import { type ApprovalRequest, highestRisk, visibleLine } from '@codelab/protocol';
import { Check, ChevronRight, Layers, ListOrdered, X } from 'lucide-react';
import { type KeyboardEvent, useId, useRef, useState } from 'react';
import { usePhrases } from '../../text/phrases.ts';
import { useViewText } from '../../text/use-text.ts';
import { RiskBadge } from '../../ui/badge.tsx';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { kindIcons } from '../conversation/calls/call-labels.tsx';
import { isForCard, letterOf, type SendDecision } from './answering.ts';
import { AnswerButton } from './approval-actions.tsx';
import { focusApproval, type Readiness, useReadiness } from './card-focus.ts';
import { Card, CardHead } from './card-frame.tsx';
import { PlanEffects } from './plan/approval-facts.tsx';
import { type ApprovalQuestion, askOneByOne, sendAnswers, useReplies, useShown } from './questions.ts';
import { RejectPanel } from './reject-panel.tsx';

type Props = { question: ApprovalQuestion; isFirst: boolean };

export function GroupCard({ question, isFirst }: Props) {
  const words = useViewText().approval;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const readiness = useReadiness(card);
  const [isRejecting, setIsRejecting] = useState(false);
  const isSending = useReplies(({ sending }) => sending.has(question.key));
  useShown(question, readiness, isFirst);
  const { approvals } = question;
  const risk = highestRisk(approvals.map(({ verdict }) => verdict.risk));
  const decide: SendDecision = (decision) => sendAnswers(question, () => decision);
  const run = (action: GroupAction): void => {
    if (action === 'reject') setIsRejecting(true);
    else if (action === 'approve') void decide({ kind: 'approve' });
    else splitGroup(question);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (isSending || isRejecting || !isForCard(event)) return;
    const action = keys[letterOf(event.nativeEvent) ?? ''];
    if (action === undefined) return;
    event.preventDefault();
    if (action !== 'approve' || readiness.wasReady(event.timeStamp)) run(action);
  };
  const back = (): void => {
    setIsRejecting(false);
    card.current?.focus();
  };
  return (
    <Card ref={card} id={id} ids={idsOf(approvals)} risk={risk} keys={words.groupKeys} onKeyDown={onKeyDown}>
      <CardHead
        id={id}
        icon={Layers}
        title={titleOf(approvals, words)}
        risk={risk}
        deadline={firstDeadline(approvals)}
        hasNotify={isFirst}
      />
      <Members approvals={approvals} />
      <div className="sticky bottom-0 border-t border-line bg-raised px-3 py-2">
        {isRejecting ? (
          <RejectPanel isSending={isSending} decide={decide} onBack={back} />
        ) : (
          <GroupActions count={approvals.length} readiness={readiness} isSending={isSending} run={run} />
        )}
      </div>
    </Card>
  );
}

function idsOf(approvals: readonly ApprovalRequest[]): string {
  return approvals.map(({ id }) => id).join(' ');
}

function firstDeadline(approvals: readonly ApprovalRequest[]): number | undefined {
  const deadlines = approvals.flatMap(({ deadline }) => deadline ?? []);
  return deadlines.length === 0 ? undefined : Math.min(...deadlines);
}

function splitGroup({ key, approvals: [first] }: ApprovalQuestion): void {
  askOneByOne(key);
  // The single cards are rendered with the next frame; until then the card of the group stands for all of them.
  requestAnimationFrame(() => focusApproval(first.id));
}

type GroupAction = 'approve' | 'apart' | 'reject';

const keys: Readonly<Record<string, GroupAction>> = {
  a: 'approve',
  y: 'approve',
  o: 'apart',
  r: 'reject',
  n: 'reject',
};

/** How many of what: `3 edits`, and `3 calls` when they differ. */
function titleOf(
  approvals: readonly ApprovalRequest[],
  words: ReturnType<typeof useViewText>['approval'],
): string {
  const kinds = new Set(approvals.map(({ kind }) => kind));
  const [kind] = kinds;
  const say =
    kinds.size === 1 && kind === 'edit'
      ? words.edits
      : kinds.size === 1 && kind === 'execute'
        ? words.commands
        : words.calls;
  return say(approvals.length);
}

const mostOpen = 4;

/** A reason or a risk that all of them share is said once. */
function Members({ approvals }: { approvals: readonly ApprovalRequest[] }) {
  const words = useViewText().approval;
  const spoken = usePhrases();
  const reasons = new Set(approvals.map(({ verdict }) => spoken.reason(verdict)));
  const risks = new Set(approvals.map(({ verdict }) => verdict.risk));
  const [shared] = reasons;
  return (
    <div className="flex flex-col gap-2 px-3 pb-2">
      <ul className="flex flex-col gap-1">
        {approvals.map((approval) => (
          <Member
            key={approval.id}
            approval={approval}
            isOpenAtFirst={approvals.length <= mostOpen}
            hasReason={reasons.size > 1}
            hasRisk={risks.size > 1}
          />
        ))}
      </ul>
      {reasons.size === 1 && shared !== undefined && (
        <p className="text-small wrap-anywhere">
          <span className="text-muted">{words.why}:</span> {visibleLine(shared)}
        </p>
      )}
    </div>
  );
}

type MemberProps = {
  approval: ApprovalRequest;
  isOpenAtFirst: boolean;
  hasReason: boolean;
  hasRisk: boolean;
};

const longest = 300;

function Member({ approval, isOpenAtFirst, hasReason, hasRisk }: MemberProps) {
  const words = useViewText().approval;
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const { kind, plan, verdict } = approval;
  const spoken = usePhrases();
  const Icon = kindIcons[kind];
  return (
    <li className="flex flex-col gap-1">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-w-0 items-center gap-1.5 rounded-small text-left text-small hover:bg-hover"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-3.5 shrink-0 text-faint transition-transform', isOpen && 'rotate-90')}
        />
        <Icon aria-hidden className="size-3.5 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 font-medium wrap-anywhere">
          {visibleLine(spoken.plan(plan).summary.slice(0, longest))}
        </span>
        {hasRisk && verdict.risk !== 'low' && <RiskBadge risk={verdict.risk} />}
      </button>
      {isOpen && (
        <div className="flex flex-col gap-1 pl-5">
          <PlanEffects isShort approval={approval} />
        </div>
      )}
      {hasReason && (
        <p className="pl-5 text-small wrap-anywhere">
          <span className="text-muted">{words.why}:</span> {visibleLine(spoken.reason(verdict))}
        </p>
      )}
    </li>
  );
}

type ActionsProps = {
  count: number;
  readiness: Readiness;
  isSending: boolean;
  run(action: GroupAction): void;
};

function GroupActions({ count, readiness, isSending, run }: ActionsProps) {
  const words = useViewText().approval;
  const look = { readiness, isSending, className: 'max-two:h-10 max-two:flex-1 max-two:px-2' };
  return (
    <div className="flex flex-wrap items-center gap-1.5 two:gap-2">
      <AnswerButton {...look} tone="strong" icon={Check} keys="A" onPress={() => run('approve')}>
        {words.approveAll(count)}
      </AnswerButton>
      <AnswerButton {...look} tone="plain" icon={ListOrdered} keys="O" onPress={() => run('apart')}>
        {words.oneByOne}
      </AnswerButton>
      <AnswerButton {...look} tone="plain" icon={X} keys="R" onPress={() => run('reject')}>
        {words.rejectAll}
      </AnswerButton>
      {isSending && <Spinner label={words.sending} />}
    </div>
  );
}
