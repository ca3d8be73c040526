// The preview of a text: an SVG as an image, Markdown rendered. An image element runs no script and loads nothing else; Markdown is never
// HTML.
import { useEffect, useState } from 'react';
import { Markdown } from '../../../markdown/markdown.tsx';
import { PictureFolder } from '../../../markdown/picture.tsx';
import { useViewText } from '../../../text/use-text.ts';
import { mine } from '../keep-file.ts';
import type { OnDisk } from '../open-files.ts';
import { PictureBox } from './picture-box.tsx';
import { svgSource } from './picture-source.ts';
import type { PreviewKind } from './previews.ts';

type Props = { path: string; kind: PreviewKind; disk: OnDisk };

export function FilePreview({ path, kind, disk }: Props) {
  const words = useViewText().editor;
  const [text, setText] = useState(() => mine(path));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is on the disk now is another text.
  useEffect(() => setText(mine(path)), [path, disk]);
  if (kind === 'svg') return <PictureBox source={svgSource(text)} name={path} hasOwnFooter={false} />;
  return (
    <section
      aria-label={words.previewOf(path)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
      tabIndex={0}
      className="min-h-0 flex-1 overflow-auto focus-visible:-outline-offset-2"
    >
      <div className="mx-auto max-w-[52rem] px-5 py-4">
        <PictureFolder value={path.slice(0, Math.max(0, path.lastIndexOf('/')))}>
          <Markdown text={text} />
        </PictureFolder>
      </div>
    </section>
  );
}
