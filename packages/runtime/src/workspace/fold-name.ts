// File names as a careless file system compares them: without case and without characters nobody sees.

// HFS+ ignores such characters in names; NTFS ignores trailing dots and blanks.
const ignored = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu;

// The short names that Windows gives to what must not be reached by another one.
const shortNames: readonly (readonly [RegExp, string])[] = [
  [/^git~[1-4]$/, '.git'],
  [/^codela~[1-4]$/, '.codelab'],
];

/** `.GIT`, `.g\u200cit`, `.git ` and `git~1` are all `.git` somewhere. */
function foldName(name: string): string {
  const folded = name
    .normalize('NFKC')
    .replace(ignored, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
  if (!folded.includes('~')) return folded;
  return shortNames.find(([short]) => short.test(folded))?.[1] ?? folded;
}

export function foldPath(path: string): string {
  return path === '.' ? '.' : path.split('/').map(foldName).join('/');
}
