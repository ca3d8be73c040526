// File names as a careless file system compares them: without case and without characters nobody sees.

// HFS+ ignores such characters in names; NTFS ignores trailing dots and blanks.
const ignored = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

/** `.GIT`, `.g\u200cit`, `.git ` and `git~1` are all `.git` somewhere. */
function foldName(name: string): string {
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
