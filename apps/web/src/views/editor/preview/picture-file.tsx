// A picture of the workspace in a tab. It is read again when the session changes it and upon the return to the page.
import { ApiError } from '@codelab/client';
import { useEffect, useState } from 'react';
import { useText } from '../../../text/use-text.ts';
import { Spinner } from '../../../ui/spinner.tsx';
import { followOpenFile } from '../keep-file.ts';
import { RefusedFile } from '../refused-file.tsx';
import { PictureBox } from './picture-box.tsx';
import { pictureSource } from './picture-source.ts';

type Shown = { source: string } | { error: ApiError } | undefined;

export function PictureFile({ path }: { path: string }) {
  const text = useText();
  const [shown, setShown] = useState<Shown>();
  const [readings, setReadings] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked for again, it is read again.
  useEffect(() => {
    let isCurrent = true;
    pictureSource(path)
      .then((source) => isCurrent && setShown({ source }))
      .catch((error: unknown) => {
        const apiError =
          error instanceof ApiError
            ? error
            : new ApiError({ code: 'INTERNAL', message: String(error), status: 0 });
        if (isCurrent) setShown({ error: apiError });
      });
    return () => {
      isCurrent = false;
    };
  }, [path, readings]);
  useEffect(() => {
    const look = (): void => setReadings((count) => count + 1);
    window.addEventListener('focus', look);
    const stop = followOpenFile(path, look);
    return () => {
      window.removeEventListener('focus', look);
      stop();
    };
  }, [path]);
  if (shown === undefined)
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label={text.frame.loading} />
      </div>
    );
  if ('error' in shown)
    return <RefusedFile path={path} error={shown.error} onRetry={() => setReadings((count) => count + 1)} />;
  return (
    <section aria-label={text.editor.name} className="flex h-full min-h-0 flex-col">
      <PictureBox source={shown.source} name={path} />
    </section>
  );
}
