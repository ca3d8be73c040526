/** Reads a file mode of a git header; only the two of a plain file are taken. */
import { patchFailure } from './patch-failure.ts';

export function parseMode(text: string, place: { path: string; patchLine: number }): number {
  if (text === '100644') return 0o100644;
  if (text === '100755') return 0o100755;
  const kind = KINDS[text];
  const shown = JSON.stringify(text.slice(0, 20));
  if (kind !== undefined) throw patchFailure(`${kind} are not supported in patches (mode ${text}).`, place);
  throw patchFailure(`The mode ${shown} is none of a plain file: 100644 or 100755.`, place);
}

const KINDS: Record<string, string> = {
  120000: 'Symbolic links',
  160000: 'Submodules',
  '040000': 'Directories',
};
