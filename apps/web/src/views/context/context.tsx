// The files a model sees at every turn, and how full its context is.
import type { PinnedFile } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { BookmarkX, Layers, X } from 'lucide-react';
import { api } from '../../api/api.ts';
import { currentSession, ensureSession } from '../../session/current-session.ts';
import { useSession } from '../../session/session-store.ts';
import { bytes, compactNumber } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/spinner.tsx';
import { toastError } from '../../ui/toast.tsx';
import { FileIcon } from '../files/file-icon.tsx';
import { openFile } from '../files/open-file.ts';
import { AddFile } from './add-file.tsx';
import { BudgetBar } from './budget-bar.tsx';
import { useContextInfo } from './use-context-info.ts';

export function ContextView() {
  const words = useViewText().context;
  const paths = useSession(({ contextFiles }) => contextFiles);
  const info = useContextInfo();
  const add = (path: string): void => {
    ensureSession()
      .then((id) => api.sessions.changeContext(id, 'add_file', path))
      .catch(toastError);
  };
  const change = (action: 'remove_file' | 'clear', path?: string): void => {
    api.sessions.changeContext(currentSession(), action, path).catch(toastError);
  };
  return (
    <section aria-label={words.name} className="flex flex-col gap-3 p-3">
      {info !== undefined && <BudgetBar info={info} />}
      <AddFile onAdd={add} />
      {paths.length === 0 ? (
        <EmptyState icon={Layers} title={words.none} hint={words.noneHint} />
      ) : (
        <>
          <ul aria-label={words.files} className="flex flex-col gap-1">
            {paths.map((path) => (
              <PinnedLine
                key={path}
                path={path}
                size={info?.files.find((file) => file.path === path)}
                onRemove={() => change('remove_file', path)}
              />
            ))}
          </ul>
          <Button
            size="small"
            tone="quiet"
            className="self-start"
            icon={<BookmarkX aria-hidden className="size-3.5" />}
            onClick={() => change('clear')}
          >
            {words.clear}
          </Button>
        </>
      )}
    </section>
  );
}

type LineProps = { path: string; size: PinnedFile | undefined; onRemove(): void };

function PinnedLine({ path, size, onRemove }: LineProps) {
  const words = useViewText().context;
  const shown = visibleLine(path);
  const about =
    size === undefined
      ? ''
      : size.bytes === 0
        ? words.missing
        : `${bytes(size.bytes)} · ${words.tokens(compactNumber(size.tokens))}`;
  return (
    <li className="flex items-center gap-2 rounded-base border border-line bg-raised py-1 pr-1 pl-2.5">
      <FileIcon name={path} />
      <button type="button" className="min-w-0 flex-1 text-left" title={shown} onClick={() => openFile(path)}>
        <span className="block truncate">{shown}</span>
        <span className="block text-tiny text-muted">{about}</span>
      </button>
      <IconButton size="small" icon={X} label={words.remove(shown)} onClick={onRemove} />
    </li>
  );
}
