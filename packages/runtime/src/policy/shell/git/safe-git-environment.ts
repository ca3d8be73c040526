// Variables under which git starts nothing that a repository asks for, as far as variables can say. Drivers for single kinds of files
// have names of their own and can't be switched off so: a line that would meet them is asked about (see git-settings).

const settings: readonly [string, string][] = [
  ['core.fsmonitor', 'false'],
  ['core.hooksPath', '/dev/null'],
  ['core.pager', 'cat'],
  ['core.untrackedCache', 'false'],
  ['core.alternateRefsCommand', 'true'],
  ['log.showSignature', 'false'],
  ['log.diffMerges', 'separate'],
  ['diff.ignoreSubmodules', 'all'],
  ['status.submoduleSummary', 'false'],
  ['submodule.recurse', 'false'],
  ['safe.bareRepository', 'explicit'],
  ['credential.helper', ''],
  ['protocol.allow', 'never'],
  ['maintenance.auto', 'false'],
  ['gc.auto', '0'],
];

/** For a line that runs unasked because it only reads; one that was asked about may need what this switches off. */
export function safeGitEnvironment(): Record<string, string> {
  const pairs = settings.flatMap(([key, value], i) => [
    [`GIT_CONFIG_KEY_${i}`, key],
    [`GIT_CONFIG_VALUE_${i}`, value],
  ]);
  return {
    GIT_PAGER: 'cat',
    PAGER: 'cat',
    GIT_OPTIONAL_LOCKS: '0',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_LAZY_FETCH: '1',
    GIT_EDITOR: 'true',
    GIT_ASKPASS: 'true',
    GIT_SSH_COMMAND: 'false',
    GIT_ALLOW_PROTOCOL: '',
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(pairs),
  };
}
