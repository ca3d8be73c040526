// All that waits for the person, in this session and in others, the soonest to close first.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { BellRing } from 'lucide-react';
import { showView } from '../../layout/show-view.ts';
import { openSession } from '../../session/current-session.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { RiskBadge } from '../../ui/risk-badge.tsx';
import { kindIcons } from '../conversation/kind-icons.ts';
import { Countdown } from './countdown.tsx';
import { focusApproval } from './focus-approval.ts';
import { NotifyButton } from './notify-button.tsx';
import { useWaitingElsewhere } from './waiting-elsewhere.ts';

export function Waiting() {
  const words = useText().approval;
  const here = useSession(({ pending }) => pending);
  const elsewhere = useWaitingElsewhere();
  const all = [...here, ...elsewhere].sort((a, b) => a.deadline - b.deadline);
  return (
    <section aria-label={words.waitingFor} className="flex min-h-full flex-col gap-2 p-2">
      <div className="flex items-center justify-end">
        <NotifyButton />
      </div>
      {all.length === 0 ? (
        <EmptyState icon={BellRing} title={words.nothing} hint={words.nothingHint} />
      ) : (
        <ul className="flex flex-col gap-2">
          {all.map((approval) => (
            <Line key={approval.id} approval={approval} isElsewhere={!here.includes(approval)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function Line({ approval, isElsewhere }: { approval: ApprovalRequest; isElsewhere: boolean }) {
  const words = useText().approval;
  const { kind, plan, tool, verdict, deadline, id, session } = approval;
  const Icon = kindIcons[kind];
  const open = (): void => {
    if (isElsewhere) openSession(session);
    showView('conversation');
    focusApproval(id);
  };
  return (
    <li className="flex flex-col gap-1.5 rounded-base border border-line bg-raised p-2.5">
      <div className="flex items-start gap-2">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <span className="min-w-0 flex-1 font-medium wrap-anywhere">{visibleLine(plan.summary)}</span>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <RiskBadge risk={verdict.risk} />
        <code className="font-mono text-tiny text-muted">{visibleLine(tool)}</code>
        <Countdown deadline={deadline} />
        {isElsewhere && <span className="text-small text-muted">{words.elsewhere}</span>}
        <Button size="small" tone="strong" className="ml-auto" onClick={open}>
          {words.openIt}
        </Button>
      </div>
    </li>
  );
}
