// Adds a file to the context by a few letters of its path.
import { useId } from 'react';
import { useViewText } from '../../text/use-text.ts';
import { FoundFiles, useFileSearch } from '../files/found-files.tsx';

export function AddFile({ onAdd }: { onAdd(path: string): void }) {
  const words = useViewText().context;
  const id = useId();
  const search = useFileSearch((path) => {
    search.setQuery('');
    onAdd(path);
  });
  const isOpen = search.found.length > 0;
  return (
    <div className="relative">
      <input
        role="combobox"
        aria-label={words.add}
        aria-expanded={isOpen}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${id}-${search.chosen}` : undefined}
        placeholder={`@ ${words.add}`}
        value={search.query}
        onChange={({ target }) => search.setQuery(target.value.replace(/^@\s*/, ''))}
        onKeyDown={search.onKeyDown}
        onBlur={() => search.setQuery('')}
        className="h-8 w-full min-w-0 rounded-base border border-line-strong/60 bg-surface px-2 placeholder:text-faint"
      />
      {isOpen && (
        <div className="absolute inset-x-0 top-full z-20 mt-1 flex max-h-64 flex-col overflow-hidden rounded-large border border-line bg-raised py-1 shadow-floating">
          <FoundFiles
            id={id}
            found={search.found}
            chosen={search.chosen}
            onPick={(path) => {
              search.setQuery('');
              onAdd(path);
            }}
          />
        </div>
      )}
    </div>
  );
}
