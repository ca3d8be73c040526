// What the agent is doing now, in a word; read aloud when it changes.
import type { AgentStatus } from '@codelab/protocol';
import { runAction } from '../actions/actions.ts';
import { useSession } from '../session/session-store.ts';
import { useText } from '../text/use-text.ts';
import { cx } from '../ui/cx.ts';

const dots: Record<AgentStatus, string> = {
  idle: 'bg-good',
  thinking: 'bg-accent animate-pulse',
  executing_tool: 'bg-accent animate-pulse',
  waiting_approval: 'bg-warn',
  error: 'bg-bad',
};

export function StatusPill() {
  const text = useText();
  const status = useSession((model) => model.status);
  const waiting = useSession(({ pending }) => pending.length);
  const words = waiting > 0 ? text.frame.approvalsWaiting(waiting) : text.frame.status[status];
  const pill = (
    <span
      role="status"
      className={cx(
        'flex min-w-0 items-center gap-1.5 rounded-full border px-2 py-0.5 text-small',
        waiting > 0 ? 'border-warn/40 bg-warn-soft text-warn' : 'border-line bg-surface text-muted',
      )}
    >
      <span
        aria-hidden
        className={cx('size-2 shrink-0 rounded-full', dots[waiting > 0 ? 'waiting_approval' : status])}
      />
      {waiting > 0 && (
        <span aria-hidden className="font-semibold two:hidden">
          {waiting}
        </span>
      )}
      {/* A phone has no room for the words; the number stands for them. */}
      <span className={waiting > 0 ? 'truncate max-two:sr-only' : 'truncate'}>{words}</span>
    </span>
  );
  if (waiting === 0) return pill;
  return (
    <button
      type="button"
      title={text.approval.next}
      onClick={() => runAction('approval.next')}
      className="min-w-0 rounded-full hover:brightness-110"
    >
      {pill}
    </button>
  );
}
