// A line of the tree: a folder or a file, with the mark of its changes.
import { visibleLine } from '@codelab/protocol';
import { ChevronRight, Ellipsis } from 'lucide-react';
import type { MouseEvent } from 'react';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { useIsDirty } from '../editor/dirty-store.ts';
import { FileIcon } from './file-icon.tsx';
import type { TreeMark } from './tree-marks.ts';
import type { TreeRow } from './visible-rows.ts';

type Props = {
  row: Extract<TreeRow, { kind: 'entry' }>;
  id: string;
  isCurrent: boolean;
  mark: TreeMark | undefined;
  onUse(): void;
  onMenu(at: { x: number; y: number }): void;
};

const colors: Record<TreeMark['mark'], string> = {
  added: 'text-good',
  changed: 'text-warn',
  deleted: 'text-bad',
  conflict: 'text-bad',
};
const letters: Record<TreeMark['mark'], string> = { added: 'A', changed: 'M', deleted: 'D', conflict: 'U' };

export function TreeLine({ row, id, isCurrent, mark, onUse, onMenu }: Props) {
  const name = visibleLine(row.name);
  const openMenu = (event: MouseEvent): void => {
    event.preventDefault();
    event.stopPropagation();
    onMenu({ x: event.clientX, y: event.clientY });
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has the keyboard, after the tree pattern.
    // biome-ignore lint/a11y/useFocusableInteractive: the tree keeps the focus and names the current line.
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={row.isFolder ? row.isOpen : undefined}
      aria-selected={isCurrent}
      title={visibleLine(row.path)}
      onClick={onUse}
      onContextMenu={openMenu}
      style={{ paddingLeft: `${(row.level - 1) * 0.75 + 0.375}rem` }}
      className={cx(
        'group flex h-6 cursor-pointer items-center gap-1.5 pr-1.5',
        isCurrent ? 'bg-selected' : 'hover:bg-hover',
      )}
    >
      <ChevronRight
        aria-hidden
        className={cx(
          'size-3.5 shrink-0 text-faint transition-transform',
          row.isOpen && 'rotate-90',
          !row.isFolder && 'invisible',
        )}
      />
      <FileIcon name={row.name} isFolder={row.isFolder} isOpen={row.isOpen} />
      <span className={cx('min-w-0 flex-1 truncate', mark !== undefined && colors[mark.mark])}>{name}</span>
      <UnsavedMark path={row.path} />
      {mark !== undefined && <ChangeMark mark={mark} />}
      <MenuButton isShown={isCurrent} onOpen={openMenu} />
    </div>
  );
}

/** For a finger and a mouse; the keyboard has the menu key. */
function MenuButton({ isShown, onOpen }: { isShown: boolean; onOpen(event: MouseEvent): void }) {
  return (
    <span
      aria-hidden
      onClick={onOpen}
      className={cx(
        'shrink-0 rounded-small text-muted hover:bg-raised hover:text-text',
        isShown ? 'block' : 'hidden group-hover:block',
      )}
    >
      <Ellipsis className="size-4" />
    </span>
  );
}

function UnsavedMark({ path }: { path: string }) {
  const words = useText().files;
  if (!useIsDirty(path)) return null;
  return (
    <>
      <span aria-hidden className="size-2 shrink-0 rounded-full bg-accent" />
      <span className="sr-only">, {words.unsaved}</span>
    </>
  );
}

function ChangeMark({ mark: { mark, isInside, isOfGit } }: { mark: TreeMark }) {
  const words = useText().files;
  const names = isOfGit ? words.gitMarks : words.marks;
  return (
    <>
      <span
        aria-hidden
        className={cx('w-3 shrink-0 text-center font-mono text-tiny font-semibold', colors[mark])}
      >
        {isInside ? '•' : letters[mark]}
      </span>
      <span className="sr-only">, {isInside ? words.marksInside : names[mark]}</span>
    </>
  );
}

// A line of the tree that is no file: it is being read, empty, cut, or could not be read.
export function TreeNote({ row }: { row: Extract<TreeRow, { kind: 'note' }> }) {
  const words = useText().files;
  return (
    <p
      style={{ paddingLeft: `${(row.level - 1) * 0.75 + 1.75}rem` }}
      className={cx('truncate text-small leading-6', row.note === 'failed' ? 'text-bad' : 'text-faint')}
      title={row.message}
    >
      {words[row.note]} {row.message}
    </p>
  );
}
