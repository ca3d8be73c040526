// An image in the middle of its tab, never larger than it is or than the tab; the squares behind it show where it is transparent.
import { visibleLine } from '@codelab/protocol';
import { ImageOff } from 'lucide-react';
import { useState } from 'react';
import { useViewText } from '../../../text/use-text.ts';
import { EmptyState } from '../../../ui/spinner.tsx';

type Props = {
  source: string;
  name: string;
  /** Something else says below what it is. */
  hasOwnFooter?: boolean;
};

export function PictureBox({ source, name, hasOwnFooter = true }: Props) {
  const words = useViewText().editor;
  const [size, setSize] = useState('');
  const [broken, setBroken] = useState('');
  if (broken === source)
    return <EmptyState icon={ImageOff} title={words.cannotShow} hint={words.brokenPicture} />;
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex min-h-0 flex-1 items-center justify-center overflow-auto bg-sunken p-6">
        <img
          src={source}
          alt={words.previewOf(visibleLine(name))}
          onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
            setSize(`${naturalWidth} × ${naturalHeight}`)
          }
          onError={() => setBroken(source)}
          className="checkered max-h-full min-h-8 max-w-full min-w-8 object-contain"
        />
      </div>
      {hasOwnFooter && (
        <footer className="flex h-6 shrink-0 items-center gap-4 border-t border-line px-3 text-tiny text-muted">
          <span className="flex-1 truncate">{visibleLine(name)}</span>
          <span>{size}</span>
        </footer>
      )}
    </div>
  );
}
