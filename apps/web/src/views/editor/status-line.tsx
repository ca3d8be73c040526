// Below the text: how its lines end, its encoding, its language.

import { languageOf } from '../../code/language-of.ts';
import { bytes } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import type { ReadyFile } from './open-files.ts';

export function StatusLine({ path, file: { disk } }: { path: string; file: ReadyFile }) {
  const words = useText().editor;
  return (
    <footer className="flex h-6 shrink-0 items-center gap-4 border-t border-line px-3 text-tiny text-muted">
      <span className="flex-1 truncate">{languageOf(path)?.name ?? ''}</span>
      <span>{bytes(new Blob([disk.text]).size)}</span>
      <span>{words.ending[disk.line_ending]}</span>
      <span>{disk.encoding === 'utf-8-bom' ? 'UTF-8 BOM' : 'UTF-8'}</span>
    </footer>
  );
}
