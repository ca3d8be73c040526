// Deleted files that are still kept, each with a button that restores it.
import type { TrashEntry } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { ArchiveRestore, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../api/api.ts';
import { bytes, relativeTime } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { EmptyState, Spinner } from '../../ui/spinner.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { FileIcon } from '../files/file-icon.tsx';
import { readTrash, useReadUponChange, useTrashStore } from './changes-store.ts';

export function TrashList() {
  const text = useViewText();
  useReadUponChange(readTrash);
  const entries = useTrashStore((state) => state.entries);
  const problem = useTrashStore((state) => state.problem);
  if (problem !== '') return <p className="p-3 text-bad">{problem}</p>;
  if (entries === undefined)
    return (
      <div className="p-4">
        <Spinner label={text.frame.loading} />
      </div>
    );
  if (entries.length === 0)
    return <EmptyState icon={Trash2} title={text.changes.trashNone} hint={text.changes.trashHint} />;
  return (
    <ul aria-label={text.changes.trash} className="flex flex-col gap-1.5 p-3">
      {entries.map((entry) => (
        <TrashLine key={entry.trash_id} entry={entry} />
      ))}
    </ul>
  );
}

function TrashLine({ entry: { trash_id, path, files, bytes: size, deleted_at } }: { entry: TrashEntry }) {
  const words = useViewText().changes;
  const [isRunning, setIsRunning] = useState(false);
  const restore = async (): Promise<void> => {
    setIsRunning(true);
    try {
      await api.changes.restore(trash_id);
      toast(words.restored(path));
    } catch (error) {
      toastError(error);
    } finally {
      setIsRunning(false);
      await readTrash();
    }
  };
  return (
    <li className="flex items-center gap-2 rounded-base border border-line bg-raised px-2.5 py-1.5">
      <FileIcon name={path} isFolder={files > 1} />
      <span className="min-w-0 flex-1">
        <span className="block truncate" title={visibleLine(path)}>
          {visibleLine(path)}
        </span>
        <span className="block truncate text-tiny text-muted">
          {files > 1 && `${words.filesCount(files)} · `}
          {bytes(size)} · {words.deletedAt(relativeTime(Date.parse(deleted_at)))}
        </span>
      </span>
      <Button
        size="small"
        disabled={isRunning}
        aria-label={words.restoreOne(path)}
        icon={<ArchiveRestore aria-hidden className="size-3.5" />}
        onClick={() => void restore()}
      >
        {words.restore}
      </Button>
    </li>
  );
}
