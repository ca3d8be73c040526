// One open file: its text, its actions, and changes by others.
import { Suspense, useEffect, useRef } from 'react';
import { loadLater } from '../../load-later.ts';
import { useText } from '../../text/use-text.ts';
import { Spinner } from '../../ui/spinner.tsx';
import type { ViewProps } from '../../view.ts';
import { useRevealedPosition } from '../files/open-file.ts';
import { mountBuffer, showPosition } from './buffers.ts';
import { ConflictBanner } from './conflict-banner.tsx';
import { useLeaveWarning } from './dirty-store.ts';
import { FileBar } from './file-bar.tsx';
import { useKeptFile } from './keep-file.ts';
import { isPicture, previewOf, useIsPreview } from './preview/previews.ts';
import { RefusedFile } from './refused-file.tsx';
import { StatusLine } from './status-line.tsx';

/** Loaded when something is looked at instead of edited. */
const PictureFile = loadLater(async () => ({
  default: (await import('./preview/picture-file.tsx')).PictureFile,
}));
const FilePreview = loadLater(async () => ({
  default: (await import('./preview/file-preview.tsx')).FilePreview,
}));

export function EditorView({ param: path }: ViewProps) {
  const text = useText();
  if (!isPicture(path)) return <TextFile path={path} />;
  return (
    <Suspense fallback={<Spinner label={text.frame.loading} className="m-6" />}>
      <PictureFile key={path} path={path} />
    </Suspense>
  );
}

function TextFile({ path }: { path: string }) {
  const text = useText();
  const kind = previewOf(path);
  const isPreview = useIsPreview(path) && kind !== undefined;
  const file = useKeptFile(path);
  useLeaveWarning();
  if (file.status === 'refused') return <RefusedFile path={path} error={file.error} />;
  if (file.status === 'loading')
    return (
      <div className="flex h-full items-center justify-center">
        <Spinner label={text.frame.loading} />
      </div>
    );
  return (
    <section aria-label={text.editor.name} className="flex h-full min-h-0 flex-col">
      <FileBar path={path} file={file} />
      {file.theirs !== undefined && <ConflictBanner path={path} theirs={file.theirs} />}
      {isPreview ? (
        <Suspense fallback={<Spinner label={text.frame.loading} className="m-6" />}>
          <FilePreview path={path} kind={kind} disk={file.disk} />
        </Suspense>
      ) : (
        <CodeArea path={path} />
      )}
      <StatusLine path={path} file={file} />
    </section>
  );
}

// The editor itself on the page. It brings its own keyboard, search and undo.
function CodeArea({ path }: { path: string }) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (box.current === null) return;
    return mountBuffer(path, box.current);
  }, [path]);
  const wanted = useRevealedPosition();
  const shown = useRef(0);
  useEffect(() => {
    if (wanted.path !== path || wanted.count === shown.current) return;
    shown.current = wanted.count;
    showPosition(path, wanted);
  }, [wanted, path]);
  return <div ref={box} className="min-h-0 flex-1 overflow-hidden" />;
}
