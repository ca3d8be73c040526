// One open file: its text, what can be done with it, and what others made of it meanwhile.

import { useText } from '../../text/use-text.ts';
import { Spinner } from '../../ui/spinner.tsx';
import type { ViewProps } from '../../view.ts';
import { CodeArea } from './code-area.tsx';
import { ConflictBanner } from './conflict-banner.tsx';
import { FileBar } from './file-bar.tsx';
import { RefusedFile } from './refused-file.tsx';
import { StatusLine } from './status-line.tsx';
import { useKeptFile } from './use-kept-file.ts';
import { useLeaveWarning } from './use-leave-warning.ts';

export function Editor({ param: path }: ViewProps) {
  const text = useText();
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
      <CodeArea path={path} />
      <StatusLine path={path} file={file} />
    </section>
  );
}
