// The bar at the top: the session, the agent's activity, and actions for the whole page.
import { type AgentStatus, visibleLine } from '@codelab/protocol';
import { Command, PanelRight, Plus } from 'lucide-react';
import { runAction } from '../actions/actions.ts';
import { shortcuts } from '../keys.ts';
import { useSession } from '../session/session-store.ts';
import { useSettings } from '../settings-store.ts';
import { useText } from '../text/use-text.ts';
import { IconButton } from '../ui/button.tsx';
import { cx } from '../ui/cx.ts';
import { findView } from '../views.ts';
import { useLayout } from './layout-store.ts';
import { sideViews } from './sorted-views.ts';
import type { Columns } from './use-columns.ts';

export function TopBar({ columns }: { columns: Columns }) {
  const text = useText();
  const title = useSession((model) => model.title);
  const isRightOpen = useLayout((layout) => {
    const isWhole = findView(layout.activeTab)?.isWholeWindow === true;
    return !isWhole && (columns === 3 ? layout.isRightOpen : layout.isDrawerOpen);
  });
  return (
    <header className="flex h-11 shrink-0 items-center gap-2 border-b border-line bg-canvas px-2 two:px-3">
      <Logo isShort={columns === 1} />
      <h1 className="min-w-0 flex-1 truncate font-medium two:border-l two:border-line two:pl-3">
        {title === '' ? text.frame.untitled : visibleLine(title)}
      </h1>
      <StatusPill />
      <IconButton
        icon={Plus}
        label={text.frame.newSession}
        shortcut={shortcuts['session.new']}
        onClick={() => runAction('session.new')}
      />
      <IconButton
        icon={Command}
        label={text.frame.palette}
        shortcut={shortcuts['frame.palette']}
        onClick={() => runAction('frame.palette')}
      />
      {columns > 1 && sideViews.length > 0 && (
        <IconButton
          icon={PanelRight}
          label={text.frame.showRight}
          shortcut={shortcuts['frame.right']}
          aria-pressed={isRightOpen}
          isActive={isRightOpen}
          onClick={() => runAction('frame.right')}
        />
      )}
    </header>
  );
}

function Logo({ isShort }: { isShort: boolean }) {
  return (
    <span className="flex items-center gap-2 font-semibold tracking-tight">
      <svg aria-hidden="true" viewBox="0 0 32 32" className="size-5.5">
        <rect width="32" height="32" rx="8" className="fill-accent" />
        <path
          d="M12.5 9.5 6.5 16l6 6.5M19.5 9.5l6 6.5-6 6.5"
          className="fill-none stroke-on-accent stroke-[2.6]"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <span className={isShort ? 'sr-only' : 'text-read'}>CodeLab</span>
    </span>
  );
}

// The agent's status in a word; screen readers read it aloud when it changes.
const dots: Record<AgentStatus, string> = {
  idle: 'bg-good',
  thinking: 'bg-accent animate-pulse',
  executing_tool: 'bg-accent animate-pulse',
  waiting_approval: 'bg-warn',
  error: 'bg-bad',
};

function StatusPill() {
  const text = useText();
  const status = useSession((model) => model.status);
  const waiting = useSession(({ pending }) => pending.length);
  const hasNoModel = useSettings()?.model === '' && status === 'idle';
  const calm = text.frame.status[hasNoModel ? 'noModel' : status];
  const words = waiting > 0 ? text.frame.approvalsWaiting(waiting) : calm;
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
        className={cx(
          'size-2 shrink-0 rounded-full',
          waiting === 0 && hasNoModel ? 'bg-line-strong' : dots[waiting > 0 ? 'waiting_approval' : status],
        )}
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
