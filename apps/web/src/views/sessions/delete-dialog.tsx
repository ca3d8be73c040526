// Confirms the deletion of a session: it can't be restored.
import type { Session } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { currentSession, openSession } from '../../session/current-session.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { loadSessions } from './session-list-store.ts';

export function DeleteDialog({ line, onClose }: { line: Session; onClose(): void }) {
  const words = useViewText().sessions;
  const [isBusy, setIsBusy] = useState(false);
  const remove = async (): Promise<void> => {
    setIsBusy(true);
    try {
      await api.sessions.delete(line.id);
      if (currentSession() === line.id) openSession('');
      toast(words.removed);
      await loadSessions();
    } catch (error) {
      toastError(error);
    }
    onClose();
  };
  return (
    <Dialog
      isOpen
      size="small"
      title={words.removeTitle}
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            {words.cancel}
          </Button>
          <Button tone="danger" disabled={isBusy} onClick={() => void remove()}>
            {words.removeYes}
          </Button>
        </>
      }
    >
      <p className="wrap-anywhere">
        {words.removeAbout(line.title === '' ? words.untitled : visibleLine(line.title))}
      </p>
    </Dialog>
  );
}
