// Why a file is not shown, and the possible actions.
import { ApiError } from '@codelab/client';
import { FileLock2, FileX2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { ensureSession } from '../../session/current-session.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/spinner.tsx';
import { toastError } from '../../ui/toast.tsx';
import { openBuffer } from './buffers.ts';
import { loadFile } from './keep-file.ts';
import { putFile } from './open-files.ts';

type Props = { path: string; error: ApiError; onRetry?(): void };

export function RefusedFile({ path, error, onRetry = () => void loadFile(path) }: Props) {
  const words = useViewText().editor;
  const [isAsked, setIsAsked] = useState(false);
  const isAskable = error.code === 'PERMISSION_DENIED' && error.details?.verdict === 'ask';
  const why = {
    FILE_TOO_LARGE: words.tooLarge,
    ENCODING_ERROR: words.binary,
    FILE_NOT_FOUND: words.gone,
    PERMISSION_DENIED: isAskable ? words.secret : error.message,
  }[error.code];
  const show = (): void => {
    setIsAsked(true);
    showSecret(path)
      .catch(toastError)
      .finally(() => setIsAsked(false));
  };
  return (
    <EmptyState icon={isAskable ? FileLock2 : FileX2} title={words.cannotShow} hint={why ?? error.message}>
      <p className="font-mono text-tiny text-faint">{error.code}</p>
      {isAskable ? (
        <Button disabled={isAsked} onClick={show}>
          {words.showAnyway}
        </Button>
      ) : (
        <Button onClick={onRetry}>{words.tryAgain}</Button>
      )}
    </EmptyState>
  );
}

// Shows a file that a rule asks about: the person at the screen agrees to one reading, which is recorded. It can't be edited here.
async function showSecret(path: string): Promise<void> {
  const session = await ensureSession();
  const outcome = await api.call(session, { tool: 'read_file', args: { path }, approve: true });
  if (outcome.status !== 'completed') {
    const { code, message } = outcome.error;
    throw new ApiError({ code, message, status: 403 });
  }
  const text = String(outcome.data.content ?? '');
  openBuffer(path, text, true);
  putFile(path, {
    status: 'ready',
    disk: { text, encoding: 'utf-8', line_ending: 'none', fingerprint: null },
    isReadOnly: true,
    isSaving: false,
    theirs: undefined,
  });
}
