// A path that opens the file at its line and column. A button, because the address of the page belongs to the session.
import type { ReactNode } from 'react';
import { useSession } from '../session/session-store.ts';
import { openFile } from '../views/files/open-file.ts';
import { type FilePlace, splitAtPaths } from './file-links.ts';

export function FileLink({ place, children }: { place: FilePlace; children: ReactNode }) {
  return (
    <button
      type="button"
      onClick={() => openFile(place.path, place)}
      className="rounded-small text-left underline decoration-accent/40 underline-offset-2 wrap-anywhere hover:text-accent hover:decoration-accent"
    >
      {children}
    </button>
  );
}

/** A text of a tool, with the paths in it as links. */
export function TextWithPaths({ text }: { text: string }) {
  const root = useSession((model) => model.workspace);
  return splitAtPaths(text, root).map((part, at) =>
    typeof part === 'string' ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a part's name is its place.
      <FileLink key={at} place={part.place}>
        {part.text}
      </FileLink>
    ),
  );
}
