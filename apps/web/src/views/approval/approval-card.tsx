// The card of an approval: what would happen, why the person is asked, and the answers. The card never takes the focus by itself.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { Link } from 'lucide-react';
import { type ReactNode, useId, useRef } from 'react';
import { api } from '../../api/api.ts';
import { useCall } from '../../session/session-store.ts';
import { useViewText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { kindIcons, summaryTitle } from '../conversation/calls/call-labels.tsx';
import { type Answering, useAnswering } from './answering.ts';
import { ApprovalActions } from './approval-actions.tsx';
import { type Readiness, useReadiness } from './card-focus.ts';
import { Card, CardHead } from './card-frame.tsx';
import { SettledCard } from './decision-status.tsx';
import { EditDialog } from './edit/edit-dialog.tsx';
import { ApprovalFacts } from './plan/approval-facts.tsx';
import { useShown } from './questions.ts';
import { RejectPanel } from './reject-panel.tsx';
import { AlwaysDialog } from './remember/always-dialog.tsx';

/** `isFirst`: what is typed at the composer answers this one. */
type Props = { approval: ApprovalRequest; isFirst: boolean };

export function ApprovalCard({ approval, isFirst }: Props) {
  const words = useViewText().approval;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const call = useCall(approval.callId);
  const readiness = useReadiness(card);
  // The buttons go with the decision; whoever pressed one keeps the focus here.
  const answering = useAnswering(approval, readiness, () => {
    if (card.current?.contains(document.activeElement) === true) card.current.focus();
  });
  useShown({ key: approval.id, approvals: [approval] }, readiness, isFirst);
  const isWaiting = call?.state === 'awaiting_approval' && call.approval?.id === approval.id;
  if (!isWaiting)
    return (
      <Card ref={card} id={id} ids={approval.id}>
        <SettledCard id={id} call={call} title={summaryTitle(approval.plan)} />
      </Card>
    );
  const { tool, verdict, deadline, kind } = approval;
  return (
    <Card
      ref={card}
      id={id}
      ids={approval.id}
      risk={verdict.risk}
      keys={words.keys}
      onKeyDown={answering.onKeyDown}
    >
      <CardHead
        id={id}
        icon={kindIcons[kind]}
        prefix={words.card(visibleLine(tool))}
        title={titleOf(approval, words)}
        risk={verdict.risk}
        deadline={deadline}
        hasNotify={isFirst}
      >
        <ShareButton approval={approval} />
      </CardHead>
      <Waiting
        approval={approval}
        readiness={readiness}
        answering={answering}
        onBack={() => card.current?.focus()}
      />
    </Card>
  );
}

/** A command stands below, whole: here it would only be said twice. */
function titleOf({ plan }: ApprovalRequest, words: ReturnType<typeof useViewText>['approval']): string {
  const { command } = plan;
  if (command === undefined) return summaryTitle(plan);
  return command.cwd === '.' ? words.runs : words.runsIn(visibleLine(command.cwd));
}

type WaitingProps = { approval: ApprovalRequest; readiness: Readiness; answering: Answering; onBack(): void };

function Waiting({ approval, readiness, answering, onBack }: WaitingProps): ReactNode {
  const { tool, actions, open, isSending, areDetailsOpen, showDetails, decide, run, close } = answering;
  const back = (): void => {
    close();
    onBack();
  };
  return (
    <div className="flex flex-col gap-2 px-3 pb-2">
      <ApprovalFacts approval={approval} areDetailsOpen={areDetailsOpen} onDetails={showDetails} />
      {/* However long the rest is, the answers stay in sight. */}
      <div className="sticky bottom-0 -mx-3 -mb-2 border-t border-line bg-raised px-3 py-2">
        {open === 'reject' ? (
          <RejectPanel isSending={isSending} decide={decide} onBack={back} />
        ) : (
          <ApprovalActions
            approval={approval}
            actions={actions}
            readiness={readiness}
            isSending={isSending}
            run={run}
            answer={(action) => void decide({ kind: 'answer', action })}
          />
        )}
      </div>
      {open === 'edit' && (
        <EditDialog approval={approval} tool={tool} isSending={isSending} decide={decide} onClose={back} />
      )}
      {open === 'always' && (
        <AlwaysDialog approval={approval} isSending={isSending} decide={decide} onClose={back} />
      )}
    </div>
  );
}

/** A link by which somebody else decides this one approval, put on the clipboard. */
function ShareButton({ approval: { session, id } }: { approval: ApprovalRequest }) {
  const words = useViewText().approval;
  const share = async (): Promise<void> => {
    try {
      const { url } = await api.approvals.link(session, id);
      await navigator.clipboard.writeText(url);
      toast(words.linkCopied);
    } catch (error) {
      toastError(error);
    }
  };
  return <IconButton size="small" icon={Link} label={words.copyLink} onClick={() => void share()} />;
}
