// Every place of a review where the eye could be misled: added lines, and the names of files.
import { type Misleading, misleading } from '@codelab/protocol';
import { fileChange } from '../../diff/file-name.ts';
import type { ReviewState } from './review-state.ts';

export type Warning = { piece: string; path: string; line: number | undefined; found: Misleading };

// More would not be read.
const most = 200;

export function findWarnings({ files, pieces }: ReviewState): Warning[] {
  const warnings: Warning[] = [];
  let last = -1;
  for (const { key, file, hunk } of pieces) {
    const of = files[file];
    if (of === undefined || warnings.length >= most) break;
    const { path } = fileChange(of);
    if (file !== last)
      for (const found of misleading(path)) warnings.push({ piece: key, path, line: undefined, found });
    last = file;
    if (hunk === undefined) continue;
    let line = hunk.newStart;
    for (const text of hunk.lines) {
      if (text.startsWith('+'))
        for (const found of misleading(text.slice(1))) warnings.push({ piece: key, path, line, found });
      if (!text.startsWith('-') && !text.startsWith('\\')) line++;
    }
  }
  return warnings.slice(0, most);
}
