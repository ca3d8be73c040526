// At the composer of a new session: whether it gets its own git worktree; and a note when a worktree is gone.
import { GitBranch, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { openSession, useCurrentSession } from '../../session/current-session.ts';
import { sessionFiles } from '../../session/session-files.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { usePicks } from '../conversation/composer/send-message.ts';
import { useSessionWorktree } from './worktree-store.ts';

export function WorktreeChoice() {
  const words = useText().sessions.worktree;
  const isNew = useCurrentSession() === '';
  const isChosen = usePicks(({ isInWorktree }) => isInWorktree);
  const hasGit = useHasGit();
  if (!isNew || !hasGit) return null;
  return (
    <Button
      size="small"
      tone="quiet"
      aria-pressed={isChosen}
      title={words.chooseHint}
      onClick={() => usePicks.setState({ isInWorktree: !isChosen })}
      icon={<GitBranch aria-hidden className="size-3.5" />}
      className={isChosen ? 'bg-accent-soft! text-accent!' : 'text-muted!'}
    >
      <span className="max-w-44 truncate">{words.choose}</span>
    </Button>
  );
}

/** The workspace is a repository: a worktree needs the whole of it, so `.git` lies in the workspace itself. */
function useHasGit(): boolean {
  const [hasGit, setHasGit] = useState(false);
  useEffect(() => {
    sessionFiles
      .list('.')
      .then(({ entries }) => setHasGit(entries.some(({ name }) => name === '.git')))
      // Without files there is no worktree to offer.
      .catch(() => undefined);
  }, []);
  return hasGit;
}

export function WorktreeGone() {
  const text = useText();
  const words = text.sessions.worktree;
  const worktree = useSessionWorktree();
  if (worktree === undefined || worktree.state === 'present') return null;
  const { state, path, branch } = worktree;
  return (
    <div
      role="status"
      className="mx-3 mb-2 flex items-start gap-2 rounded-base border border-warn/30 bg-warn-soft px-3 py-2 text-small"
    >
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-warn" />
      <p className="min-w-0 flex-1 wrap-anywhere">
        <strong className="font-medium">{words.gone[state]}</strong> {words.goneHint(path, branch)}
      </p>
      <Button size="small" onClick={() => openSession('')}>
        {text.frame.newSession}
      </Button>
    </div>
  );
}
