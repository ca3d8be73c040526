// One approval, where the conversation is: what is asked, why, what would change, and the answers. It never takes the focus by itself.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { Link } from 'lucide-react';
import { useId, useRef } from 'react';
import { api } from '../../api/api.ts';
import { useCall } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { RiskBadge } from '../../ui/risk-badge.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { kindIcons } from '../conversation/kind-icons.ts';
import { AlwaysDialog } from './always-dialog.tsx';
import { type Answering, useAnswering } from './answering.ts';
import { ApprovalActions } from './approval-actions.tsx';
import { ApprovalFacts } from './approval-facts.tsx';
import { Countdown, SettledLine } from './decision-status.tsx';
import { EditDialog } from './edit-dialog.tsx';
import { RejectPanel } from './reject-panel.tsx';

export function ApprovalCard({ approval }: { approval: ApprovalRequest }) {
  const words = useText().approval;
  const id = useId();
  const card = useRef<HTMLElement>(null);
  const call = useCall(approval.callId);
  // The buttons go with the decision; whoever pressed one keeps the focus here.
  const answering = useAnswering(approval, () => {
    if (card.current?.contains(document.activeElement) === true) card.current.focus();
  });
  const isWaiting = call?.state === 'awaiting_approval' && call.approval?.id === approval.id;
  return (
    <section
      ref={card}
      tabIndex={-1}
      data-card={approval.id}
      data-approval={isWaiting ? approval.id : undefined}
      aria-labelledby={id}
      aria-description={isWaiting ? words.keys : undefined}
      onKeyDown={isWaiting ? answering.onKeyDown : undefined}
      className={cx(
        '@container shrink-0 scroll-my-2 overflow-clip rounded-large border border-l-4 bg-raised shadow-raised',
        isWaiting ? edges[approval.verdict.risk] : 'border-line',
      )}
    >
      <Head approval={approval} isWaiting={isWaiting} id={id} />
      <div className="flex flex-col gap-3 px-3 pb-3">
        {isWaiting ? (
          <Waiting approval={approval} answering={answering} onBack={() => card.current?.focus()} />
        ) : (
          <SettledLine call={call} />
        )}
      </div>
    </section>
  );
}

const longest = 300;

const edges: Record<ApprovalRequest['verdict']['risk'], string> = {
  low: 'border-good/50',
  medium: 'border-warn/60',
  high: 'border-high/70',
  critical: 'border-bad',
};

function Head({ approval, isWaiting, id }: { approval: ApprovalRequest; isWaiting: boolean; id: string }) {
  const words = useText().approval;
  const { kind, tool, plan, verdict } = approval;
  const Icon = kindIcons[kind];
  return (
    <header className="flex flex-wrap items-center gap-x-2 gap-y-1 px-3 py-2">
      <Icon aria-hidden className="size-4 shrink-0 text-muted" />
      <h3 id={id} className="min-w-0 flex-1 basis-[calc(100%-2rem)] font-semibold wrap-anywhere two:basis-40">
        <span className="sr-only">{words.card(visibleLine(tool))}: </span>
        {visibleLine(plan.summary.slice(0, longest))}
      </h3>
      <code className="hidden font-mono text-tiny text-muted @md:inline">{visibleLine(tool)}</code>
      <RiskBadge risk={verdict.risk} />
      {isWaiting && <Countdown deadline={approval.deadline} />}
      {isWaiting && (
        <span className="max-two:ml-auto">
          <ShareButton approval={approval} />
        </span>
      )}
    </header>
  );
}

type WaitingProps = { approval: ApprovalRequest; answering: Answering; onBack(): void };

function Waiting({ approval, answering, onBack }: WaitingProps) {
  const { tool, actions, open, isSending, decide, run, close } = answering;
  const back = (): void => {
    close();
    onBack();
  };
  return (
    <>
      <ApprovalFacts approval={approval} />
      {/* However long the rest is, the answers stay in sight. */}
      <div className="sticky bottom-0 -mx-3 -mb-3 border-t border-line bg-raised px-3 py-2 two:py-2.5">
        {open === 'reject' ? (
          <RejectPanel isSending={isSending} decide={decide} onBack={back} />
        ) : (
          <ApprovalActions
            approval={approval}
            actions={actions}
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
    </>
  );
}

/** A link by which somebody else decides this one approval, put on the clipboard. */
function ShareButton({ approval: { session, id } }: { approval: ApprovalRequest }) {
  const words = useText().approval;
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
