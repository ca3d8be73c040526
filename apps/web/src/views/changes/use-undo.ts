// Undo and redo in two steps: a preview, then the action. Force is a separate choice with its own preview.
import type { UndoResult } from '@codelab/api';
import { ApiError } from '@codelab/client';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { errorMessage } from '../../error-help.ts';
import { currentSession } from '../../session/current-session.ts';
import { currentText, useViewText } from '../../text/use-text.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import type { UndoDialogRequest } from './changes-store.ts';

export type UndoProgress = {
  preview: UndoResult | undefined;
  problem: string;
  isForced: boolean;
  isRunning: boolean;
  force(isForced: boolean): void;
  run(): void;
};

export function useUndo(wanted: UndoDialogRequest | undefined, onDone: () => void): UndoProgress {
  const words = useViewText().changes;
  const [preview, setPreview] = useState<UndoResult | undefined>();
  const [problem, setProblem] = useState('');
  const [isForced, setIsForced] = useState(false);
  const [isRunning, setIsRunning] = useState(false);
  useEffect(() => {
    setPreview(undefined);
    setProblem('');
    if (wanted === undefined) {
      setIsForced(false);
      return;
    }
    let isCurrent = true;
    ask(wanted, { dry_run: true, force: isForced })
      .then((answer) => isCurrent && setPreview(answer))
      .catch(
        (error: unknown) => isCurrent && setProblem(isNothing(error) ? words.nothing : messageOf(error)),
      );
    return () => {
      isCurrent = false;
    };
  }, [wanted, isForced, words]);
  const run = (): void => {
    if (wanted === undefined) return;
    setIsRunning(true);
    ask(wanted, { force: isForced })
      .then(({ files }) => {
        const done = files.filter(({ state }) => state === 'done').length;
        const stayed = files.length - done;
        toast(wanted.verb === 'undo' ? words.undone(done) : words.redone(done), {
          tone: done > 0 ? 'good' : 'bad',
          ...(stayed > 0 && { detail: words.stayed(stayed) }),
        });
        onDone();
      })
      .catch(toastError)
      .finally(() => setIsRunning(false));
  };
  return { preview, problem, isForced, isRunning, force: setIsForced, run };
}

function ask(wanted: UndoDialogRequest, how: { dry_run?: boolean; force: boolean }): Promise<UndoResult> {
  const session = currentSession();
  if (wanted.verb === 'redo') return api.changes.redo(session, how);
  const { turn, call_id } = wanted;
  return api.changes.undo(session, {
    ...(turn !== undefined && { turn }),
    ...(call_id !== undefined && { call_id }),
    ...how,
  });
}

function isNothing(error: unknown): boolean {
  return error instanceof ApiError && error.details?.reason === 'nothing';
}

function messageOf(error: unknown): string {
  return errorMessage(error, currentText());
}
