// A picture in Markdown: embedded in the text, or a file of the workspace. Nothing is ever loaded from another host, which would learn of
// the reader.
import { createContext, useContext, useEffect, useState } from 'react';
import { useSession } from '../session/session-store.ts';
import { FileLink } from './file-link.tsx';
import { picturePath } from './file-links.ts';
import { markdownHost } from './markdown-host.ts';

/** The folder of the Markdown file; empty for an answer. */
export const PictureFolder = createContext('');

const look = 'max-h-96 max-w-full rounded-base border border-line';

export function Picture({ source, label }: { source: string; label: string }) {
  const folder = useContext(PictureFolder);
  const root = useSession((model) => model.workspace);
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,/.test(source))
    return <img src={source} alt={label} className={look} />;
  const path = picturePath(source, { folder, root });
  if (path === undefined) return <span className="text-muted">[{label || source.slice(0, 200)}]</span>;
  return <WorkspacePicture key={path} path={path} label={label} />;
}

/** Read again each time it comes into view: the agent may have made it anew. Meanwhile the last one is shown. */
function WorkspacePicture({ path, label }: { path: string; label: string }) {
  const [source, setSource] = useState(() => lately.get(path));
  const [isMissing, setIsMissing] = useState(markdownHost() === undefined);
  useEffect(() => {
    let isWanted = true;
    markdownHost()
      ?.pictureSource(path)
      .then((found) => {
        remember(path, found);
        if (isWanted) setSource(found);
      })
      .catch(() => isWanted && setIsMissing(true));
    return () => {
      isWanted = false;
    };
  }, [path]);
  const place = { path };
  // A file that is missing, too large or no picture is a link: opened, it says why.
  if (isMissing) return <FileLink place={place}>{label || path}</FileLink>;
  if (source === undefined) return <span className="inline-block h-24 w-40 rounded-base bg-sunken" />;
  return (
    <FileLink place={place}>
      <img
        src={source}
        alt={label || path}
        title={path}
        decoding="async"
        className={look}
        onError={() => setIsMissing(true)}
      />
    </FileLink>
  );
}

const mostKept = 16_000_000;
const lately = new Map<string, string>();

function remember(path: string, source: string): void {
  lately.delete(path);
  lately.set(path, source);
  let size = [...lately.values()].reduce((sum, { length }) => sum + length, 0);
  for (const [oldest, { length }] of lately) {
    if (size <= mostKept) return;
    lately.delete(oldest);
    size -= length;
  }
}
