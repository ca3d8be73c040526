// What setting a variable for a command, or for the rest of a line, can lead to.
import { phrase } from '@codelab/protocol';
import { allows, asks, asksUnlessHeld, insists, type Judgement } from './judgement.ts';

// Programs look at these to find code to load, or a program to start.
const harmful = new Set(
  `PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS PS0 PS1 PS2 PS4 PROMPT_COMMAND CDPATH GLOBIGNORE HISTFILE SHELL HOME ZDOTDIR TMPDIR EDITOR VISUAL
PAGER MANPAGER LESS LESSOPEN LESSCLOSE BROWSER NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_REPL_EXTERNAL_MODULE PYTHONPATH PYTHONSTARTUP
PYTHONHOME PYTHONINSPECT PYTHONBREAKPOINT PYTHONUSERBASE PERL5LIB PERL5OPT PERL5DB PERLLIB RUBYOPT RUBYLIB LUA_PATH LUA_CPATH LUA_INIT
JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS CLASSPATH MAVEN_OPTS GRADLE_OPTS CC CXX LD AR AS MAKEFLAGS MFLAGS GNUMAKEFLAGS MAKEFILES
RUSTC RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTFLAGS CARGO_HOME RUSTUP_TOOLCHAIN GOFLAGS GOTOOLCHAIN GOPROXY GOBIN GOPATH CGO_CFLAGS
TAR_OPTIONS RIPGREP_CONFIG_PATH GREP_OPTIONS SSH_ASKPASS SUDO_ASKPASS SSH_AUTH_SOCK RSYNC_RSH RSYNC_CONNECT_PROG DOCKER_HOST KUBECONFIG
OPENSSL_CONF OPENSSL_ENGINES GCONV_PATH LOCPATH NLSPATH MALLOC_CHECK_ TERMINFO TERMCAP COLORTERM_PROGRAM PHPRC PHP_INI_SCAN_DIR AWKPATH
AWKLIBPATH POSIXLY_CORRECT COREPACK_ENABLE YARN_PLUGINS FPATH EMACSLOADPATH VIMINIT EXINIT`.split(/\s+/),
);
const families =
  /^(LD_|DYLD_|GIT_|BASH_|npm_|NPM_|YARN_|PNPM_|PIP_|CARGO_|CODELAB_|SUDO_|AWS_|GCC_|DEBUGINFOD)|_proxy$/i;

// Known to change only how something looks or is told.
const harmless = new Set(
  'CI NODE_ENV DEBUG VERBOSE FORCE_COLOR NO_COLOR CLICOLOR CLICOLOR_FORCE LANG LANGUAGE TZ TERM COLUMNS LINES RUST_BACKTRACE RUST_LOG'.split(
    ' ',
  ),
);

/** `value` as it is written, as far as it is known. */
export function judgeVariable(name: string, value = ''): Judgement {
  if (/^(LD_|DYLD_|BASH_|GIT_|CODELAB_|SUDO_|AWS_)|^(IFS|ENV|SHELLOPTS|PS4|PROMPT_COMMAND)$/i.test(name))
    return insists(phrase('variable.loads', { name }), 'critical');
  // What Python loads from the workspace, the program behind it may load from there as well.
  if (name === 'PYTHONPATH' && isInside(value)) return asks(phrase('variable.pythonPath'), 'high');
  if (harmful.has(name) || families.test(name))
    return asksUnlessHeld(phrase('variable.loads', { name }), 'critical');
  // Texts, time zones and terminals are looked for in files of these names.
  if (
    /^(LANG|LANGUAGE|TZ|TERM|LC_[A-Z]+)$/.test(name) &&
    /(^|:)\/|\.\.|[$`~]/.test(value.replace(/["'\\]/g, ''))
  )
    return insists(phrase('variable.readsElsewhere', { name }), 'high');
  // Where the variable is not quoted, the names that fit are put in its place.
  if (isFarGlob(value)) return insists(phrase('variable.outside', { name }), 'high');
  // In lower case by custom the line's own, which no program looks at.
  if (harmless.has(name) || /^LC_[A-Z]+$/.test(name) || /^[a-z][a-z0-9_]*$/.test(name))
    return allows(phrase('variable.harmless'));
  return { ...asks(phrase('variable.unknown', { name })), onlyReads: true };
}

/** A list of plain folders, each below where the line stands: no variable, no way up, nothing from the root. */
function isInside(value: string): boolean {
  const folders = value.split(':');
  return folders.every((one) => /^[\w.-]+(?:\/[\w.-]+)*\/?$/.test(one) && !one.split('/').includes('..'));
}

/** Text that would be a glob for names outside, where it is not quoted. */
export function isFarGlob(text: string): boolean {
  const bare = text.replace(/["'\\]/g, '');
  return /[*?[]/.test(bare) && /(^|\s)\/|\.\.|[~$]/.test(bare);
}
