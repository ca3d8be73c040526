// The worktree of the session on the screen, and the dialog about a worktree that is open.
import { create } from 'zustand';
import { useBranches } from '../../session/branches.ts';
import { useSession } from '../../session/session-store.ts';
import type { UiTexts } from '../../text/en.ts';
import type { MenuItem } from '../../ui/menu.tsx';

type WorktreeDialog = { type: 'merge' | 'drop'; session: string };

export const useWorktreeDialog = create<{ dialog: WorktreeDialog | undefined }>(() => ({
  dialog: undefined,
}));

export function closeWorktreeDialog(): void {
  useWorktreeDialog.setState({ dialog: undefined });
}

/** The actions on an existing worktree. */
export function worktreeItems(session: string, words: UiTexts['sessions']['worktree']): MenuItem[] {
  // After the menu has given the focus back.
  const ask = (type: WorktreeDialog['type']) => () =>
    void setTimeout(() => useWorktreeDialog.setState({ dialog: { type, session } }));
  return [
    { id: 'worktree-merge', label: words.merge, onSelect: ask('merge') },
    { id: 'worktree-drop', label: words.drop, isDanger: true, onSelect: ask('drop') },
  ];
}

type State = 'present' | 'dropped' | 'missing';

/** Undefined where the session works in the workspace itself. */
export function useSessionWorktree(): { path: string; branch: string; state: State } | undefined {
  const id = useSession((model) => model.id);
  const worktree = useSession((model) => model.worktree);
  // The log does not tell of a folder that was removed by hand; the gateway looks for it.
  const found = useBranches(({ all }) => all.find((session) => session.id === id)?.worktree?.state);
  if (worktree === undefined) return undefined;
  const { path, branch, isDropped } = worktree;
  return { path, branch, state: isDropped ? 'dropped' : (found ?? 'present') };
}
