/** Reads a file mode of a git header: the two of a plain file, or that of a symbolic link. */
import { patchFailure } from './patch-failure.ts';

export function parseMode(text: string, place: { path: string; patchLine: number }): number {
  if (text === '100644') return 0o100644;
  if (text === '100755') return 0o100755;
  if (text === '120000') return LINK_MODE;
  if (text === '160000')
    throw patchFailure(
      `The submodule "${place.path.slice(0, 200)}" cannot be changed by a patch (mode 160000). Leave its part out and use git in the submodule.`,
      place,
    );
  const shown = JSON.stringify(text.slice(0, 20));
  throw patchFailure(
    `The mode ${shown} is none of a plain file, 100644 or 100755, nor that of a symbolic link, 120000.`,
    place,
  );
}

const LINK_MODE = 0o120000;

export function isLinkMode(mode: number | undefined): boolean {
  return mode !== undefined && (mode & 0o170000) === LINK_MODE;
}
