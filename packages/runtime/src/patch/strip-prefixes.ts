/** Takes `a/` and `b/`, or the prefixes of diff.mnemonicPrefix, off the two names of a file. */

/**
 * `git diff` puts two different prefixes on the two sides, so the same one twice on its header line is a folder
 * (`--no-prefix`). In a plain diff, `a/` or `b/` on both sides goes too, as `git apply -p1` takes it.
 */
export function stripPrefixes(oldName: string, newName: string, isGitHeader: boolean): [string, string] {
  const isPrefixed =
    oldName[0] === newName[0]
      ? !isGitHeader && PLAIN_PREFIX.test(oldName) && PLAIN_PREFIX.test(newName)
      : GIT_PREFIX.test(oldName) && GIT_PREFIX.test(newName);
  return isPrefixed ? [oldName.slice(2), newName.slice(2)] : [oldName, newName];
}

const GIT_PREFIX = /^[abciow12]\//;
const PLAIN_PREFIX = /^[ab]\//;
