// The whole page: the frame, its overlays, and its permanent listeners.
import { Suspense, useEffect, useState } from 'react';
import { useShortcuts } from './actions/use-shortcuts.ts';
import { onSignedOut } from './api/page-session.ts';
import { Overlays } from './layout/overlays.tsx';
import { useKeptFocus, usePageTitle } from './layout/page-effects.ts';
import { AppShell } from './layout/shell.tsx';
import { useText } from './text/use-text.ts';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Toasts } from './ui/toast.tsx';
import { loadView } from './view.ts';
import { UndoHost } from './views/changes/undo-host.tsx';
import { TourHost } from './views/tour/tour-host.tsx';
import { useWorktreeDialog } from './views/worktrees/worktree-store.ts';

export function App() {
  useShortcuts();
  usePageTitle();
  useKeptFocus();
  useEffect(tellLater, []);
  return (
    <>
      <AppShell />
      <Overlays />
      <UndoHost />
      <WorktreeHost />
      <TourHost />
      <Toasts />
      <SignedOut />
    </>
  );
}

/** Loaded when somebody asks. */
const WorktreeDialogs = loadView(async () => ({
  default: (await import('./views/worktrees/worktree-dialogs.tsx')).WorktreeDialogs,
}));

function WorktreeHost() {
  const isAsked = useWorktreeDialog(({ dialog }) => dialog !== undefined);
  return <Suspense fallback={null}>{isAsked && <WorktreeDialogs />}</Suspense>;
}

/** Started after the field: typing does not need it. */
function tellLater(): () => void {
  const timer = setTimeout(() => {
    void import('./first-view.ts').then(({ startTurnNotices }) => startTurnNotices());
  }, 2000);
  return () => clearTimeout(timer);
}

function SignedOut() {
  const text = useText();
  const [isOut, setIsOut] = useState(false);
  useEffect(() => onSignedOut(() => setIsOut(true)), []);
  return (
    <Dialog size="small" title={text.frame.signedOut} isOpen={isOut} onClose={() => setIsOut(false)}>
      <Button tone="strong" onClick={() => location.assign('/sign-in')}>
        {text.frame.signIn}
      </Button>
    </Dialog>
  );
}
