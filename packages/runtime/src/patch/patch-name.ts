/** Reads the file name on a header line of a patch: quoted as in C, or bare up to a tab. */
import { patchFailure } from './patch-failure.ts';
import { unquotePath } from './unquote-path.ts';

/** Null for `/dev/null`, which stands for no file; only its bare spelling does. */
export function patchName(text: string, patchLine: number): string | null {
  const tab = text.startsWith('"') ? -1 : text.indexOf('\t');
  const bare = tab === -1 ? text : text.slice(0, tab);
  if (bare === '/dev/null') return null;
  const name = text.startsWith('"') ? unquoted(text, patchLine) : bare;
  if (name === '') throw patchFailure('The file name is empty.', { patchLine });
  if (name.includes('\0')) throw patchFailure('The file name holds a NUL.', { patchLine });
  if (bare === name && name.includes('\r'))
    throw patchFailure('The file name holds a carriage return that is not quoted.', { patchLine });
  return name;
}

function unquoted(text: string, patchLine: number): string {
  const found = unquotePath(text);
  if (found !== null && (found.rest === '' || found.rest.startsWith('\t'))) return found.name;
  throw patchFailure('The quoted file name cannot be read.', { patchLine });
}
