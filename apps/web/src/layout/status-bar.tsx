// The status bar: mode, model, context use, cost, git branch and total diff.
import { Coins, Gauge, GitBranch, Terminal } from 'lucide-react';
import type { ReactNode } from 'react';
import { useNetChanges } from '../session/changes/net-changes.ts';
import { useSession } from '../session/session-store.ts';
import { percent, spellCost } from '../text/format.ts';
import { useText } from '../text/use-text.ts';
import { cx } from '../ui/cx.ts';
import { Menu } from '../ui/menu.tsx';
import { useContextInfo, useSessionCost } from '../views/context/use-context-info.ts';
import { useWorkMode } from '../views/modes/work-mode.ts';
import { openSessionReview } from '../views/session-review/scope-store.ts';
import { useSessionWorktree, worktreeItems } from '../views/worktrees/worktree-store.ts';
import { togglePanel } from './layout-store.ts';
import { showView } from './show-view.ts';

export function StatusBar() {
  const text = useText();
  const words = text.frame.bar;
  const id = useSession((model) => model.id);
  const model = useSession((session) => session.model);
  const info = useContextInfo();
  const mode = useWorkMode();
  const fill = info?.window_tokens ? info.used_tokens / info.window_tokens : undefined;
  return (
    <section
      aria-label={words.name}
      className="flex h-6 shrink-0 items-center gap-1 overflow-hidden border-t border-line bg-canvas px-2 text-tiny text-muted"
    >
      <Fact label={words.mode} onClick={() => showView('conversation')}>
        {mode === undefined ? '' : mode === 'plan' ? words.plan : text.settings.modes[mode]}
      </Fact>
      {model !== '' && <Fact label={words.model}>{model}</Fact>}
      {fill !== undefined && (
        <Fact label={words.context} onClick={() => showView('context')} isBad={fill >= 0.85}>
          <Gauge aria-hidden className="size-3" /> {percent(fill)}
        </Fact>
      )}
      <Cost />
      <span className="flex-1" />
      <Branch checkedOut={info?.branch ?? ''} />
      <TotalDiff label={words.changes} onClick={() => openSessionReview(id, null)} />
      <Fact label={text.terminals.toggle} onClick={togglePanel}>
        <Terminal aria-hidden className="size-3.5" />
      </Fact>
    </section>
  );
}

/** The cost of the session; a sum that leaves turns out says so, and leads to the fields for the price. */
function Cost() {
  const { frame, usage } = useText();
  const { cost, unpriced } = useSessionCost();
  if (cost === undefined && unpriced === 0) return null;
  const label = unpriced === 0 ? frame.bar.cost : `${frame.bar.cost} (${usage.unpricedTurns(unpriced)})`;
  return (
    <Fact label={label} onClick={() => showView('usage')}>
      <Coins aria-hidden className="size-3" /> {unpriced > 0 && cost !== undefined && '≥ '}
      {cost === undefined ? usage.noCost : spellCost(cost)}
    </Fact>
  );
}

/** The branch of the session's worktree, with what can be done with it; otherwise that of the workspace. */
function Branch({ checkedOut }: { checkedOut: string }) {
  const text = useText();
  const id = useSession((model) => model.id);
  const worktree = useSessionWorktree();
  const words = text.sessions.worktree;
  const name = checkedOut || (worktree?.branch ?? '');
  if (name === '') return null;
  const shown = (
    <>
      <GitBranch aria-hidden className="size-3" /> <span className="max-w-48 truncate">{name}</span>
      {worktree !== undefined && worktree.state !== 'present' && ` (${words.state[worktree.state]})`}
    </>
  );
  if (worktree?.state !== 'present')
    return <Fact label={worktree === undefined ? text.frame.bar.branch : words.name}>{shown}</Fact>;
  const label = words.menu(name);
  return (
    <Menu
      label={label}
      align="end"
      items={worktreeItems(id, words)}
      trigger={
        <button
          type="button"
          title={`${words.name}: ${worktree.path}`}
          aria-label={label}
          className="flex shrink-0 items-center gap-1 rounded-small px-1.5 hover:bg-hover hover:text-text"
        >
          {shown}
        </button>
      }
    />
  );
}

type FactProps = { label: string; onClick?: () => void; isBad?: boolean; children: ReactNode };

function Fact({ label, onClick, isBad, children }: FactProps) {
  const look = cx('flex shrink-0 items-center gap-1 rounded-small px-1.5', isBad && 'text-bad');
  if (onClick === undefined)
    return (
      <span title={label} className={look}>
        <span className="sr-only">{label}: </span>
        {children}
      </span>
    );
  return (
    <button
      type="button"
      title={label}
      // The keyboard stays where it is, so that the key's own rule holds: a panel with the keyboard in it is closed.
      onMouseDown={(event) => event.preventDefault()}
      onClick={onClick}
      className={cx(look, 'hover:bg-hover hover:text-text')}
    >
      <span className="sr-only">{label}: </span>
      {children}
    </button>
  );
}

/** The total diff of the session. */
function TotalDiff({ label, onClick }: { label: string; onClick: () => void }) {
  const { added, removed } = useNetChanges();
  if (added === 0 && removed === 0) return null;
  return (
    <Fact label={label} onClick={onClick}>
      <span className="font-mono text-good">+{added}</span>
      <span className="font-mono text-bad">−{removed}</span>
    </Fact>
  );
}
