// The files that fit what was typed, the best first, as a list under the field.
import { visibleLine } from '@codelab/protocol';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { FileIcon } from './file-icon.tsx';

type Props = { id: string; found: readonly string[]; chosen: number; onPick(path: string): void };

export function FoundFiles({ id, found, chosen, onPick }: Props) {
  const words = useText().files;
  return (
    <div
      id={id}
      role="listbox"
      aria-label={words.found(found.length)}
      className="min-h-0 flex-1 overflow-auto"
    >
      {found.map((path, at) => (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keyboard, after the combobox pattern.
        // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen line.
        <div
          key={path}
          id={`${id}-${at}`}
          role="option"
          aria-selected={at === chosen}
          title={visibleLine(path)}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onPick(path)}
          className={cx(
            'flex h-7 cursor-pointer items-center gap-1.5 px-2.5',
            at === chosen ? 'bg-selected' : 'hover:bg-hover',
          )}
        >
          <FileIcon name={nameOf(path)} />
          <span className="shrink-0 truncate">{visibleLine(nameOf(path))}</span>
          <span className="min-w-0 flex-1 truncate text-small text-faint">{visibleLine(folderOf(path))}</span>
        </div>
      ))}
    </div>
  );
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}
