// File names as a careless file system compares them: without case and without characters nobody sees.

// What HFS+ ignores in names, other invisible characters, and trailing dots and blanks (NTFS).
// biome-ignore lint/suspicious/noMisleadingCharacterClass: each character stands for itself.
const ignored =
  /[\u00ad\u034f\u061c\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]/gu;

/** `.GIT`, `.g\u200cit`, `.git ` and `git~1` are all `.git` somewhere. */
export function foldName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .replace(ignored, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
  return folded === 'git~1' ? '.git' : folded;
}

export function foldPath(path: string): string {
  return path === '.' ? '.' : path.split('/').map(foldName).join('/');
}
