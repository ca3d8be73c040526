// What can be done with a file of the tree, as lines of its menu.
import { AtSign, BookmarkPlus, Copy, FileInput } from 'lucide-react';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { currentSession } from '../../session/current-session.ts';
import { mentionFile } from '../../session/mention-file.ts';
import type { Texts } from '../../text/en.ts';
import type { MenuItem } from '../../ui/menu-item.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import { openFile } from './open-file.ts';

export function fileActions(path: string, isFolder: boolean, words: Texts['files']): MenuItem[] {
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
  if (isFolder) return [copy, mention];
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
  return [open, mention, add, copy];
}

async function copyPath(path: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(path);
    toast(said);
  } catch (error) {
    toastError(error);
  }
}

async function addToContext(path: string, words: Texts['files']): Promise<void> {
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
