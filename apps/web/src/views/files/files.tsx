// The files of the workspace: a field to find one, and the tree. It follows what the session changes.
import { ChevronsDownUp, RefreshCw } from 'lucide-react';
import { useEffect, useId, useRef } from 'react';
import { useSessionStore } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { FileTree } from './file-tree.tsx';
import { useFindWish } from './find-file.ts';
import { FoundFiles } from './found-files.tsx';
import { openFile } from './open-file.ts';
import { closeAll, readFoldersOf, readOpenFolders } from './tree-store.ts';
import { useFileSearch } from './use-file-search.ts';

export function Files() {
  const words = useText().files;
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  const search = useFileSearch(openFile);
  useFreshFolders();
  const isWanted = useFindWish((wish) => wish.isWanted);
  useEffect(() => {
    if (!isWanted) return;
    useFindWish.setState({ isWanted: false });
    // A dialog that closes just now gives the focus back first.
    requestAnimationFrame(() => field.current?.focus());
  }, [isWanted]);
  const isSearching = search.query.trim() !== '';
  return (
    <section aria-label={words.name} className="flex h-full min-h-0 flex-col">
      <div className="flex shrink-0 items-center gap-0.5 px-2 pb-1.5 max-two:pt-2">
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
          onKeyDown={search.onKeyDown}
          className="h-7 min-w-0 flex-1 rounded-base border border-line bg-surface px-2 placeholder:text-faint"
        />
        <IconButton
          size="small"
          icon={RefreshCw}
          label={words.refresh}
          onClick={() => void readOpenFolders()}
        />
        <IconButton size="small" icon={ChevronsDownUp} label={words.collapse} onClick={closeAll} />
      </div>
      <p role="status" className="sr-only">
        {isSearching && search.isAnswered ? words.found(search.found.length) : ''}
      </p>
      {isSearching && search.isAnswered && search.found.length === 0 && (
        <p className="px-3 py-1 text-small text-muted">{words.none}</p>
      )}
      {isSearching ? (
        <FoundFiles id={id} found={search.found} chosen={search.chosen} onPick={openFile} />
      ) : (
        <FileTree />
      )}
    </section>
  );
}

/** Reads folders at the start, upon coming back to the page, and those in which the session changed something. */
function useFreshFolders(): void {
  useEffect(() => {
    void readOpenFolders();
    const onFocus = (): void => void readOpenFolders();
    window.addEventListener('focus', onFocus);
    let seen = useSessionStore.getState().model.touched.length;
    let of = useSessionStore.getState().model;
    const stop = useSessionStore.subscribe(({ model }) => {
      if (model !== of) [of, seen] = [model, 0];
      if (model.touched.length === seen) return;
      const paths = model.touched
        .slice(seen)
        .flatMap(({ effects }) =>
          effects.flatMap(({ path, from }) => (from === undefined ? [path] : [path, from])),
        );
      seen = model.touched.length;
      void readFoldersOf(paths);
    });
    return () => {
      window.removeEventListener('focus', onFocus);
      stop();
    };
  }, []);
}
