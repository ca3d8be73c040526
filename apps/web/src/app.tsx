// The whole page: the frame, what lies above it, and what it always listens to.
import { useEffect, useState } from 'react';
import { useShortcuts } from './actions/use-shortcuts.ts';
import { onSignedOut } from './api/signed-out.ts';
import { Overlays } from './layout/overlays.tsx';
import { Shell } from './layout/shell.tsx';
import { useKeptFocus } from './layout/use-kept-focus.ts';
import { usePageTitle } from './layout/use-page-title.ts';
import { useFollowSession } from './session/use-follow-session.ts';
import { useText } from './text/use-text.ts';
import { Button } from './ui/button.tsx';
import { Dialog } from './ui/dialog.tsx';
import { Toasts } from './ui/toast.tsx';
import { TooltipProvider } from './ui/tooltip.tsx';
import { TakeBackHost } from './views/changes/take-back-host.tsx';
import { TourHost } from './views/tour/tour-host.tsx';

export function App() {
  useFollowSession();
  useShortcuts();
  usePageTitle();
  useKeptFocus();
  return (
    <TooltipProvider>
      <Shell />
      <Overlays />
      <TakeBackHost />
      <TourHost />
      <Toasts />
      <SignedOut />
    </TooltipProvider>
  );
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
