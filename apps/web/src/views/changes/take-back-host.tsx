// Undo and redo from anywhere: the actions are always there, the dialog is loaded when first something is to be taken back.
import { lazy, Suspense, useEffect, useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { useText } from '../../text/use-text.ts';
import { useWanted, wantTakeBack } from './take-back-store.ts';

const TakeBackDialog = lazy(async () => ({
  default: (await import('./take-back-dialog.tsx')).TakeBackDialog,
}));

export function TakeBackHost() {
  const words = useText().changes;
  const isWanted = useWanted(({ wanted }) => wanted !== undefined);
  const [wasWanted, setWasWanted] = useState(false);
  useEffect(() => {
    if (isWanted) setWasWanted(true);
  }, [isWanted]);
  useActions([
    {
      id: 'changes.undo',
      group: 'session',
      label: words.undoLast,
      run: () => wantTakeBack({ verb: 'undo', what: words.undoLast }),
    },
    {
      id: 'changes.redo',
      group: 'session',
      label: words.redoLast,
      run: () => wantTakeBack({ verb: 'redo', what: words.redoLast }),
    },
  ]);
  if (!wasWanted) return null;
  return (
    <Suspense fallback={null}>
      <TakeBackDialog />
    </Suspense>
  );
}
