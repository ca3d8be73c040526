// The tree itself: however many files are open to view, only those on the screen are rendered. It keeps the focus; the current line is named.
import { useVirtualizer, type Virtualizer } from '@tanstack/react-virtual';
import { useId, useRef } from 'react';
import { useText } from '../../text/use-text.ts';
import { MenuAt } from '../../ui/menu.tsx';
import { fileActions } from './file-actions.tsx';
import { TreeLine, TreeNote } from './tree-line.tsx';
import { type TreeMark, useTreeMarks } from './tree-marks.ts';
import { type FileTreeState, useFileTree } from './use-file-tree.ts';
import type { TreeRow } from './visible-rows.ts';

const lineHeight = 24;

export function FileTree() {
  const words = useText().files;
  const id = useId();
  const box = useRef<HTMLDivElement>(null);
  const tree = useFileTree({
    reveal: (index) => virtual.scrollToIndex(index),
    placeOf: (index) => belowLine(`${id}-${index}`),
  });
  const { rows, current, menu } = tree;
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => box.current,
    estimateSize: () => lineHeight,
    overscan: 12,
    useFlushSync: false,
  });
  const at = rows.findIndex((row) => row.kind === 'entry' && row.path === current);
  // A tree has branches; where there are none, only the note stands.
  if (rows.every(({ kind }) => kind === 'note'))
    return rows.map((row) => row.kind === 'note' && <TreeNote key={row.note} row={row} />);
  return (
    <>
      <div
        ref={box}
        role="tree"
        aria-label={words.tree}
        tabIndex={0}
        aria-activedescendant={at === -1 ? undefined : `${id}-${at}`}
        onKeyDown={tree.onKeyDown}
        className="min-h-0 flex-1 overflow-auto outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--accent)]"
      >
        <Lines id={id} tree={tree} virtual={virtual} />
      </div>
      <MenuAt
        at={menu?.at}
        label={words.more(menu?.path ?? '')}
        items={menu === undefined ? [] : fileActions(menu.path, menu.isFolder, words)}
        onClose={tree.closeMenu}
        owner={box.current}
      />
    </>
  );
}

/** Where the menu of a line opens. */
function belowLine(id: string): { x: number; y: number } | undefined {
  const line = document.getElementById(id)?.getBoundingClientRect();
  return line && { x: line.left + 40, y: line.bottom };
}

type LinesProps = { id: string; tree: FileTreeState; virtual: Virtualizer<HTMLDivElement, Element> };

function Lines({ id, tree, virtual }: LinesProps) {
  const marks = useTreeMarks();
  return (
    <div role="presentation" className="relative" style={{ height: virtual.getTotalSize() }}>
      {virtual.getVirtualItems().map(({ index, start }) => (
        <div
          key={index}
          role="presentation"
          className="absolute inset-x-0 top-0"
          style={{ transform: `translateY(${start}px)` }}
        >
          <Row row={tree.rows[index]} id={`${id}-${index}`} tree={tree} marks={marks} />
        </div>
      ))}
    </div>
  );
}

type RowProps = {
  row: TreeRow | undefined;
  id: string;
  tree: FileTreeState;
  marks: ReadonlyMap<string, TreeMark>;
};

function Row({ row, id, tree, marks }: RowProps) {
  if (row === undefined) return null;
  if (row.kind === 'note') return <TreeNote row={row} />;
  return (
    <TreeLine
      row={row}
      id={id}
      isCurrent={row.path === tree.current}
      mark={markOf(row, marks)}
      onUse={() => tree.use(row)}
      onMenu={(at) => tree.openMenu(row, at)}
    />
  );
}

/** An open folder shows its marks at the files themselves. */
function markOf(
  { path, isOpen }: Extract<TreeRow, { kind: 'entry' }>,
  marks: ReadonlyMap<string, TreeMark>,
): TreeMark | undefined {
  const mark = marks.get(path) ?? insideNew(path, marks);
  return isOpen && mark?.isInside ? undefined : mark;
}

/** Git names a folder that it does not know, not what lies in it. */
function insideNew(path: string, marks: ReadonlyMap<string, TreeMark>): TreeMark | undefined {
  for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1)) {
    const above = marks.get(path.slice(0, at));
    if (above !== undefined && !above.isInside && above.mark === 'added') return above;
  }
  return undefined;
}
