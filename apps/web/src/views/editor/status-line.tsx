// Below the text: how its lines end, its encoding, its language.

import { highlightLanguageOf } from '../../code/language-of.ts';
import { bytes } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import type { ReadyFile } from './open-files.ts';
import { chooseEncoding, type FileEncoding, fileEncodings, useEncoding } from './other-encoding.ts';

export function StatusLine({ path, file: { disk } }: { path: string; file: ReadyFile }) {
  const words = useViewText().editor;
  return (
    <footer className="flex h-6 shrink-0 items-center gap-4 border-t border-line px-3 text-tiny text-muted">
      <span className="flex-1 truncate">{highlightLanguageOf(path)?.name ?? ''}</span>
      <span>{bytes(new Blob([disk.text]).size)}</span>
      <span>{words.ending[disk.line_ending]}</span>
      {disk.encoding === 'latin1' ? (
        <EncodingChoice path={path} />
      ) : (
        <span>{{ 'utf-8': 'UTF-8', 'utf-8-bom': 'UTF-8 BOM', 'utf-16le': 'UTF-16 LE' }[disk.encoding]}</span>
      )}
    </footer>
  );
}

function EncodingChoice({ path }: { path: string }) {
  const words = useViewText().editor;
  const chosen = useEncoding(path);
  return (
    <select
      aria-label={words.encoding}
      value={chosen}
      onChange={({ target }) => chooseEncoding(path, target.value as FileEncoding)}
      className="h-5 rounded-small border border-line bg-surface px-1 text-tiny text-text"
    >
      {fileEncodings.map((known) => (
        <option key={known} value={known}>
          {known}
        </option>
      ))}
    </select>
  );
}
