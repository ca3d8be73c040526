// The files of the workspace: a field to find one, and the tree. It follows what the session changes.
import { ChevronsDownUp, FilePlus, RefreshCw } from 'lucide-react';
import { type RefObject, Suspense, useEffect, useId, useRef, useState } from 'react';
import { followFiles } from '../../session/changes/follow-files.ts';
import { useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { loadView } from '../../view.ts';
import { FileTree } from './file-tree.tsx';
import { type FilePathSearch, FoundFiles, useFileSearch } from './found-files.tsx';
import { openFile, useFindRequest, useRecentFiles } from './open-file.ts';
import { beginTreeEdit, folderAt, useTreeEdit } from './tree-edit.ts';
import { readGitMarks } from './tree-marks.ts';
import { closeAll, isKnownFolder, readFoldersOf, readOpenFolders, useTree } from './tree-store.ts';

/** Loaded when something is made, renamed or deleted. */
const TreeEditDialog = loadView(async () => ({
  default: (await import('./tree-edit-dialog.tsx')).TreeEditDialog,
}));

export function FilesView() {
  const words = useText().files;
  const id = useId();
  const finder = useFinder();
  const { search, isSearching } = finder;
  useFreshFolders();
  const isEditing = useTreeEdit(({ edit }) => edit !== undefined);
  return (
    <section aria-label={words.name} className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-0.5 px-2 pb-1.5 max-two:pt-2">
        <FindField id={id} finder={finder} />
        <IconButton size="small" icon={FilePlus} label={words.newFile} onClick={beginFile} />
        <IconButton size="small" icon={RefreshCw} label={words.refresh} onClick={readAgain} />
        <IconButton size="small" icon={ChevronsDownUp} label={words.collapse} onClick={closeAll} />
      </div>
      <FindStatus finder={finder} />
      {isSearching ? (
        <FoundFiles id={id} found={search.found} chosen={search.chosen} onPick={finder.open} />
      ) : (
        <FileTree />
      )}
      {isEditing && (
        <Suspense fallback={null}>
          <TreeEditDialog />
        </Suspense>
      )}
    </section>
  );
}

type Finder = {
  field: RefObject<HTMLInputElement | null>;
  search: FilePathSearch;
  open(path: string): void;
  stopFinding(): void;
  /** Something is typed in the field. */
  isTyped: boolean;
  /** Nothing is typed yet; the files that were open lately are listed. */
  isRecent: boolean;
  isSearching: boolean;
};

function useFinder(): Finder {
  const field = useRef<HTMLInputElement>(null);
  const [isFinding, setIsFinding] = useState(false);
  const recent = useRecentFiles(({ paths }) => paths);
  const open = (path: string): void => {
    search.setQuery('');
    setIsFinding(false);
    openFile(path);
  };
  const search = useFileSearch(open, isFinding ? recent : undefined);
  const isWanted = useFindRequest((wish) => wish.isWanted);
  useEffect(() => {
    if (!isWanted) return;
    useFindRequest.setState({ isWanted: false });
    search.setQuery('');
    setIsFinding(true);
    // A dialog that closes just now gives the focus back first.
    requestAnimationFrame(() => field.current?.focus());
  }, [isWanted, search.setQuery]);
  const isTyped = search.query.trim() !== '';
  const isRecent = isFinding && !isTyped && recent.length > 0;
  const stopFinding = (): void => setIsFinding(false);
  return { field, search, open, stopFinding, isTyped, isRecent, isSearching: isTyped || isRecent };
}

function FindField({ id, finder }: { id: string; finder: Finder }) {
  const words = useText().files;
  const { field, search, isTyped, isSearching, stopFinding } = finder;
  return (
    <input
      ref={field}
      role="combobox"
      aria-label={words.filter}
      aria-expanded={isSearching}
      aria-controls={id}
      aria-autocomplete="list"
      aria-activedescendant={search.found.length > 0 ? `${id}-${search.chosen}` : undefined}
      placeholder={words.filter}
      value={search.query}
      onChange={({ target }) => search.setQuery(target.value)}
      onKeyDown={(event) => {
        if (event.key === 'Escape' && !isTyped) stopFinding();
        search.onKeyDown(event);
      }}
      onBlur={stopFinding}
      className="h-7 min-w-0 flex-1 rounded-base border border-line bg-surface px-2 placeholder:text-faint focus-visible:-outline-offset-1"
    />
  );
}

function FindStatus({ finder: { search, isTyped, isRecent } }: { finder: Finder }) {
  const words = useText().files;
  const isAnswered = isTyped && search.isAnswered;
  return (
    <>
      <p role="status" className="sr-only">
        {isAnswered ? words.found(search.found.length) : ''}
      </p>
      {isRecent && <h3 className="px-3 pb-1 text-tiny font-semibold text-muted">{words.recent}</h3>}
      {isAnswered && search.found.length === 0 && (
        <p className="px-3 py-1 text-small text-muted">{words.none}</p>
      )}
    </>
  );
}

function readAgain(): void {
  void readOpenFolders();
  void readGitMarks();
}

/** Where the keyboard is in the tree, or at the top. */
function beginFile(): void {
  const { current } = useTree.getState();
  beginTreeEdit({ kind: 'file', path: folderAt(current, isKnownFolder(current)), isFolder: false });
}

/** Reads folders at the start, upon coming back to the page, and whenever files may have changed. */
function useFreshFolders(): void {
  useEffect(() => {
    readAgain();
    window.addEventListener('focus', readAgain);
    const stop = followFiles((paths) => {
      void (paths === undefined ? readOpenFolders() : readFoldersOf(paths));
      void readGitMarks();
    });
    return () => {
      window.removeEventListener('focus', readAgain);
      stop();
    };
  }, []);
}
