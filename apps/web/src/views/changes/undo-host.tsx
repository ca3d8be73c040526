// Undo and redo from anywhere: the actions are always available, the dialog is loaded on first use.
import { Suspense, useEffect, useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { useText } from '../../text/use-text.ts';
import { loadView } from '../../view.ts';
import { requestUndo, useUndoRequest } from './changes-store.ts';

const UndoDialog = loadView(async () => ({
  default: (await import('./undo-dialog.tsx')).UndoDialog,
}));

export function UndoHost() {
  const words = useText().changes;
  const isWanted = useUndoRequest(({ wanted }) => wanted !== undefined);
  const [wasWanted, setWasWanted] = useState(false);
  useEffect(() => {
    if (isWanted) setWasWanted(true);
  }, [isWanted]);
  useActions([
    {
      id: 'changes.undo',
      group: 'session',
      label: words.undoLast,
      run: () => requestUndo({ verb: 'undo', what: words.undoLast }),
    },
    {
      id: 'changes.redo',
      group: 'session',
      label: words.redoLast,
      run: () => requestUndo({ verb: 'redo', what: words.redoLast }),
    },
  ]);
  if (!wasWanted) return null;
  return (
    <Suspense fallback={null}>
      <UndoDialog />
    </Suspense>
  );
}
