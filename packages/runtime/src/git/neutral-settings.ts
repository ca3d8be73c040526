// Settings that keep git from running anything a repository names. They are given in the environment, where they win over every
// file and where a name may hold any character.

/** What is switched off in every repository. */
export const neutralSettings: readonly (readonly [string, string])[] = [
  ['core.hooksPath', '/dev/null'],
  ['core.fsmonitor', 'false'],
  ['core.pager', 'cat'],
  ['core.editor', ':'],
  ['core.askPass', ''],
  ['core.sshCommand', 'false'],
  ['core.gitProxy', ''],
  ['core.alternateRefsCommand', 'false'],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['safe.bareRepository', 'explicit'],
  ['submodule.recurse', 'false'],
  ['diff.ignoreSubmodules', 'dirty'],
  ['diff.submodule', 'short'],
  ['status.submoduleSummary', 'false'],
  ['commit.gpgSign', 'false'],
  ['tag.gpgSign', 'false'],
  ['log.showSignature', 'false'],
  ['commit.verbose', 'false'],
  ['gc.auto', '0'],
  ['maintenance.auto', 'false'],
  // Names that other systems take for `.git` are not checked out here either.
  ['core.protectNTFS', 'true'],
  ['core.protectHFS', 'true'],
  // What is parsed must look the same in every repository.
  ['core.quotePath', 'false'],
  ['color.ui', 'false'],
  ['diff.suppressBlankEmpty', 'false'],
  ['diff.interHunkContext', '0'],
  ['log.follow', 'false'],
  ['i18n.commitEncoding', 'UTF-8'],
  ['i18n.logOutputEncoding', 'UTF-8'],
];

const filterKey = /^filter\.(.+)\.(clean|smudge|process|required)$/s;
const hookKey = /^hook\.(.+)\.(command|event|enabled)$/s;

/** The setting that disarms one found in a repository; undefined when it runs nothing by itself. */
export function disarm(key: string): [string, string] | undefined {
  const filter = filterKey.exec(key);
  // A filter that must succeed and does nothing would stop git.
  if (filter) return [key, filter[2] === 'required' ? 'false' : ''];
  const hook = hookKey.exec(key);
  if (hook) return [key, hook[2] === 'enabled' ? 'false' : ''];
  return undefined;
}
