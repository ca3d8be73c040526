// A new name for a session, typed where the old one stood. Enter and leaving keep it, Escape does not.
import type { Session } from '@codelab/api';
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/api.ts';
import { useViewText } from '../../text/use-text.ts';
import { toastError } from '../../ui/toast.tsx';
import { loadSessions } from './session-list-store.ts';

const longest = 200;

export function RenameField({ line, onClose }: { line: Session; onClose(): void }) {
  const text = useViewText();
  const [name, setName] = useState(line.title);
  const field = useRef<HTMLInputElement>(null);
  const isOver = useRef(false);
  useEffect(() => {
    // The menu that led here gives the focus back to its button first.
    const frame = requestAnimationFrame(() => field.current?.select());
    return () => cancelAnimationFrame(frame);
  }, []);
  const end = (isKept: boolean): void => {
    if (isOver.current) return;
    isOver.current = true;
    const title = name.trim();
    onClose();
    if (!isKept || title === '' || title === line.title) return;
    api.sessions.update(line.id, { title }).then(loadSessions).catch(toastError);
  };
  return (
    <input
      ref={field}
      value={name}
      maxLength={longest}
      aria-label={text.sessions.renameField}
      onChange={({ target }) => setName(target.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) return;
        if (event.key === 'Enter') end(true);
        if (event.key === 'Escape') end(false);
        event.stopPropagation();
      }}
      className="my-1.5 ml-1.5 h-8 min-w-0 flex-1 rounded-base border border-accent bg-surface px-2"
    />
  );
}
