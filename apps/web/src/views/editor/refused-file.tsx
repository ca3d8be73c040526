// Why a file is not shown, and what can be done about it.
import type { ApiError } from '@codelab/client';
import { FileLock2, FileX2 } from 'lucide-react';
import { useState } from 'react';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { toastError } from '../../ui/toast.tsx';
import { loadFile } from './keep-file.ts';
import { showSecret } from './show-secret.ts';

export function RefusedFile({ path, error }: { path: string; error: ApiError }) {
  const words = useText().editor;
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
        <Button onClick={() => void loadFile(path)}>{words.tryAgain}</Button>
      )}
    </EmptyState>
  );
}
