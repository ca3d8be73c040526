// The menu of a file in the tree.
import { AtSign, BookmarkPlus, Copy, FileInput, FilePlus, FolderPlus, Pencil, Trash2 } from 'lucide-react';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { currentSession } from '../../session/current-session.ts';
import { mentionFile } from '../../session/mention-file.ts';
import type { UiTexts } from '../../text/en.ts';
import type { MenuItem } from '../../ui/menu.tsx';
import { toast, toastError } from '../../ui/toast.tsx';
import { openFile } from './open-file.ts';
import { beginTreeEdit, folderAt, type TreeEdit } from './tree-edit.ts';

export function fileActions(path: string, isFolder: boolean, words: UiTexts['files']): MenuItem[] {
  const copy: MenuItem = {
    id: 'copy',
    label: words.copyPath,
    icon: <Copy aria-hidden className="size-4 text-muted" />,
    onSelect: () => void copyPath(path, words.copied),
  };
  const mention: MenuItem = {
    id: 'mention',
    label: words.mention,
    icon: <AtSign aria-hidden className="size-4 text-muted" />,
    onSelect: () => {
      showView('conversation');
      // After the menu has given the focus back.
      setTimeout(() => mentionFile(path));
    },
  };
  const edits = editActions(path, isFolder, words);
  if (isFolder) return [mention, copy, ...edits];
  const open: MenuItem = {
    id: 'open',
    label: words.open,
    icon: <FileInput aria-hidden className="size-4 text-muted" />,
    onSelect: () => openFile(path),
  };
  const add: MenuItem = {
    id: 'context',
    label: words.addToContext,
    icon: <BookmarkPlus aria-hidden className="size-4 text-muted" />,
    onSelect: () => void addToContext(path, words),
  };
  return [open, mention, add, copy, ...edits];
}

function editActions(path: string, isFolder: boolean, words: UiTexts['files']): MenuItem[] {
  const begin =
    (kind: TreeEdit['kind'], at = path) =>
    (): void =>
      beginTreeEdit({ kind, path: at, isFolder });
  const folder = folderAt(path, isFolder);
  const look = 'size-4 text-muted';
  return [
    {
      ...{ id: 'file', label: words.newFile, onSelect: begin('file', folder) },
      icon: <FilePlus aria-hidden className={look} />,
    },
    {
      ...{ id: 'folder', label: words.newFolder, onSelect: begin('folder', folder) },
      icon: <FolderPlus aria-hidden className={look} />,
    },
    {
      ...{ id: 'rename', label: words.rename, shortcut: 'F2', onSelect: begin('rename') },
      icon: <Pencil aria-hidden className={look} />,
    },
    {
      ...{ id: 'delete', label: words.remove, shortcut: 'Delete', isDanger: true, onSelect: begin('delete') },
      icon: <Trash2 aria-hidden className="size-4" />,
    },
  ];
}

async function copyPath(path: string, notice: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(path);
    toast(notice);
  } catch (error) {
    toastError(error);
  }
}

async function addToContext(path: string, words: UiTexts['files']): Promise<void> {
  const session = currentSession();
  if (session === '') {
    toast(words.noSession, { tone: 'bad' });
    return;
  }
  try {
    await api.sessions.changeContext(session, 'add_file', path);
    toast(words.inContext(path));
  } catch (error) {
    toastError(error);
  }
}
