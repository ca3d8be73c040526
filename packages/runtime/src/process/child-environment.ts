// The environment of a command: a short list of variables that programs need, none of CodeLab's own, and those the caller adds.

import { accessSync, constants, realpathSync, statSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { lazily, ToolError } from '@codelab/protocol';

/** Marks the processes of one call. */
export const markerName = 'CODELAB_CALL';

const passedOn = [
  ...['HOME', 'USER', 'LOGNAME', 'SHELL', 'TZ', 'LANG', 'LANGUAGE', 'XDG_RUNTIME_DIR'],
  ...['LC_ALL', 'LC_CTYPE', 'LC_MESSAGES', 'LC_COLLATE', 'LC_NUMERIC', 'LC_TIME', 'LC_MONETARY'],
];

// Variables that decide which code a program loads or starts; a caller could run unapproved code with them.
const dangerous = new RegExp(
  [
    'PATH|HOME|SHELL|IFS|ENV|BASH_.*|BASHOPTS|SHELLOPTS|PROMPT_COMMAND|PS[0-4]|CDPATH|GLOBIGNORE|ZDOTDIR',
    'LD_.*|DYLD_.*|GCONV_PATH|LOCPATH|NLSPATH|HOSTALIASES|RES_OPTIONS|LOCALDOMAIN|GLIBC_TUNABLES|MALLOC_.*',
    'NODE_.*_?OPTIONS|NODE_PATH|NODE_REPL_.*|NODE_EXTRA_CA_CERTS|NPM_CONFIG_.*|YARN_.*|PNPM_.*|COREPACK_.*|BUN_.*|DENO_.*',
    'PYTHON.*|PERL.*|RUBY.*|GEM_.*|BUNDLE_.*|LUA_.*|JAVA_TOOL_OPTIONS|_?JAVA_OPTIONS|JDK_.*|CLASSPATH|MAVEN_.*|GRADLE_.*|PHP.*',
    'GIT_.*|SSH_.*|.*PAGER|EDITOR|VISUAL|.*_EDITOR|BROWSER|LESS.*|MAN.*|TERMINFO.*|TERMCAP|RIPGREP_.*|FZF_.*|GREP_.*',
    'CARGO_.*|RUSTC.*|RUSTFLAGS|GO(?:FLAGS|PROXY|ENV|BIN|TOOLCHAIN|ROOT)|CC|CXX|CFLAGS|LDFLAGS|MAKEFLAGS|MAKE.*|AWKPATH|AWKLIBPATH',
    'DOTNET_.*|COR_.*|CORECLR_.*|OPENSSL_.*|TAR_OPTIONS|.*_RSH|SVN_.*|HG.*|VIMINIT|EXINIT|INPUTRC|GTK_.*|QT_.*|ELECTRON_.*|JULIA_.*',
    '.*_PROXY|CURL_.*|WGETRC|SSL_CERT_.*|XDG_.*|TMPDIR|CODELAB_.*|SUDO_.*|DOCKER_.*|KUBECONFIG|AWS_.*',
  ]
    .join('|')
    .replace(/^/, '^(?:')
    .replace(/$/, ')$'),
  'i',
);

export function childEnvironment(
  root: string,
  marker: string,
  added: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const env: Record<string, string> = { TMPDIR: tmpdir() };
  for (const name of passedOn) {
    const value = process.env[name];
    if (value !== undefined) env[name] = value;
  }
  env.HOME ??= homedir();
  env.USER ??= userName();
  return {
    ...env,
    ...added,
    PATH: trustedPath(root).join(':'),
    TERM: added.TERM ?? 'dumb',
    PAGER: 'cat',
    GIT_PAGER: 'cat',
    // git must not prompt: there is no user to answer.
    GIT_TERMINAL_PROMPT: '0',
    [markerName]: marker,
  };
}

/** Refuses variables that would make an approved command run other code than its command line. */
export function checkVariables(added: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(added)) {
    if (!/^[A-Za-z_][A-Za-z0-9_]{0,127}$/.test(name) || value.includes('\0') || !value.isWellFormed())
      throw new ToolError(
        'INVALID_ARGUMENTS',
        `\`env\` can't set ${JSON.stringify(name.slice(0, 100))}: names are letters, digits and _, values are text without NUL.`,
        { field: 'env' },
      );
    if (dangerous.test(name))
      throw new ToolError(
        'COMMAND_NOT_ALLOWED',
        `The variable ${name} decides what programs load or start; a command can't be given it.`,
        { variable: name },
      );
  }
}

/** Looked up once: it reads the system's list of users. */
const userName = lazily(() => {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
});

/** The folders that are searched for programs: the user's PATH without relative folders and without any that lead into the workspace. */
const usual = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'];

const namesByFolded = new Map<string, string[]>();

export function trustedPath(root: string, path: string = process.env.PATH ?? ''): string[] {
  const key = `${root}\0${path}`;
  const found =
    namesByFolded.get(key) ??
    [...new Set([...path.split(':'), ...usual])].filter((folder) => isOutside(folder, root));
  namesByFolded.set(key, found);
  return found;
}

function isOutside(folder: string, root: string): boolean {
  if (!folder.startsWith('/') || folder.split('/').includes('..') || isUnder(folder, root)) return false;
  try {
    return !isUnder(realpathSync(folder), root);
  } catch {
    return false;
  }
}

export function isUnder(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The program of a bare name, from trusted folders only; a program of the workspace is never used. */
export function findProgram(name: string, root: string): string {
  if (name === '' || name.includes('/') || name.includes('\0'))
    throw new ToolError('INVALID_ARGUMENTS', '`command` is the bare name of a program, as in `git`.', {
      field: 'command',
    });
  for (const folder of trustedPath(root)) {
    const path = join(folder, name);
    if (isProgram(path, root)) return path;
  }
  throw new ToolError('COMMAND_NOT_FOUND', `There is no program ${JSON.stringify(name)} on this machine.`, {
    program: name,
  });
}

function isProgram(path: string, root: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile() && !isUnder(realpathSync(path), root);
  } catch {
    return false;
  }
}
