// All pending approvals, in this session and in others, the soonest to expire first.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { BellRing } from 'lucide-react';
import { showView } from '../../layout/show-view.ts';
import { openSession } from '../../session/current-session.ts';
import { useSession } from '../../session/session-store.ts';
import { usePhrases } from '../../text/phrases.ts';
import { useViewText } from '../../text/use-text.ts';
import { RiskBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/spinner.tsx';
import { kindIcons } from '../conversation/calls/call-labels.tsx';
import { focusApproval } from './card-focus.ts';
import { Countdown } from './decision-status.tsx';
import { useOtherSessionsWaiting } from './other-sessions-waiting.ts';

const longest = 300;

// Approvals that expire come first, the others in the order they were asked.
function lastMoment({ deadline, requestedAt }: ApprovalRequest): number {
  return deadline ?? requestedAt + Number.MAX_SAFE_INTEGER / 2;
}

export function WaitingView() {
  const words = useViewText().approval;
  const here = useSession(({ pending }) => pending);
  const elsewhere = useOtherSessionsWaiting();
  const all = [...here, ...elsewhere].sort((a, b) => lastMoment(a) - lastMoment(b));
  return (
    <section aria-label={words.waitingFor} className="flex min-h-full flex-col gap-2 px-2 pb-2">
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
  const words = useViewText().approval;
  const { kind, plan, verdict, deadline, id, session } = approval;
  const spoken = usePhrases();
  const why = visibleLine(spoken.reason(verdict));
  const Icon = kindIcons[kind];
  const open = (): void => {
    if (isElsewhere) openSession(session);
    showView('conversation');
    focusApproval(id);
  };
  return (
    <li className="flex flex-col gap-1 rounded-base border border-line bg-raised p-2.5 hover:border-line-strong">
      <div className="flex items-start gap-2">
        <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
        <span className="line-clamp-3 min-w-0 flex-1 font-medium wrap-anywhere">
          {visibleLine(spoken.plan(plan).summary.slice(0, longest))}
        </span>
      </div>
      <p className="line-clamp-2 pl-6 text-small text-muted" title={why}>
        {why}
      </p>
      {isElsewhere && <p className="pl-6 text-small text-accent">{words.elsewhere}</p>}
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1.5 pl-6">
        <RiskBadge risk={verdict.risk} />
        <Countdown isShort deadline={deadline} />
        <Button size="small" tone="strong" className="ml-auto" onClick={open}>
          {words.openIt}
        </Button>
      </div>
    </li>
  );
}
