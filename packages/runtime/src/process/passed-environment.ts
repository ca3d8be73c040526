// Which of the user's environment variables a command gets: those by which toolchains are found, and those that the user's configuration
// adds. A secret is never passed unless it was named.
import { lstatSync, realpathSync } from 'node:fs';
import { userHomes } from '../workspace/state-folder.ts';
import { isUnder } from './child-environment.ts';

// Each names a folder with a toolchain or its packages. Folders that hold logins, such as CARGO_HOME, are not listed.
const toolchains = `
  JAVA_HOME JDK_HOME JRE_HOME KOTLIN_HOME SCALA_HOME GROOVY_HOME GRADLE_HOME MAVEN_HOME M2_HOME ANT_HOME SDKMAN_DIR JENV_ROOT
  VIRTUAL_ENV CONDA_PREFIX MAMBA_ROOT_PREFIX PYENV_ROOT PIPX_HOME POETRY_HOME UV_PYTHON_INSTALL_DIR UV_TOOL_DIR
  GOPATH GOROOT GOENV_ROOT NVM_DIR NVM_BIN FNM_DIR FNM_MULTISHELL_PATH NODENV_ROOT VOLTA_HOME PNPM_HOME BUN_INSTALL DENO_INSTALL
  RUSTUP_HOME RBENV_ROOT rvm_path GEM_HOME ASDF_DIR ASDF_DATA_DIR MISE_DATA_DIR
  ANDROID_HOME ANDROID_SDK_ROOT ANDROID_NDK_HOME ANDROID_NDK_ROOT FLUTTER_ROOT DOTNET_ROOT CUDA_HOME CUDA_PATH ROCM_PATH QTDIR
  HOMEBREW_PREFIX HOMEBREW_CELLAR HOMEBREW_REPOSITORY EMSDK VCPKG_ROOT BOOST_ROOT LLVM_HOME ZIG_GLOBAL_CACHE_DIR JULIA_DEPOT_PATH
  SSL_CERT_FILE SSL_CERT_DIR NIX_SSL_CERT_FILE REQUESTS_CA_BUNDLE CURL_CA_BUNDLE
`
  .trim()
  .split(/\s+/);

// Variables that only affect display and messages.
const plainNames =
  'CONDA_DEFAULT_ENV PYENV_VERSION RBENV_VERSION NODENV_VERSION RUSTUP_TOOLCHAIN COLORTERM'.split(' ');

const proxies =
  'HTTP_PROXY HTTPS_PROXY ALL_PROXY FTP_PROXY NO_PROXY http_proxy https_proxy all_proxy ftp_proxy no_proxy'.split(
    ' ',
  );

/** Names that cannot be added: they decide which programs are started and found, or are CodeLab's own. */
export const neverPassed =
  /^(?:PATH|HOME|TMPDIR|IFS|ENV|PWD|SHELL|SHELLOPTS|BASHOPTS|PROMPT_COMMAND|PS4|BASH_.*|LD_.*|DYLD_.*|GIT_.*|CODELAB_.*|SUDO_.*)$/i;

const secret =
  /TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIAL|PRIVATE|COOKIE|BEARER|SESSION|(?:^|_)(?:KEY|KEYS|PASS|PWD|PAT|AUTH|DSN)(?:_|$)|APIKEY|(?:DATABASE|REDIS|MONGO\w*|POSTGRES\w*|AMQP|BROKER)_UR[IL]/i;

export type PassedEnvironment = {
  env: Record<string, string>;
  /** Folders that the variables name, outside the workspace. */
  places: string[];
};

/** `added` are names from the user's configuration; a name ending with `*` matches all that begin so, except secrets. */
export function passedEnvironment(
  root: string,
  { added, network }: { added: readonly string[]; network: boolean },
  from: NodeJS.ProcessEnv = process.env,
): PassedEnvironment {
  const env: Record<string, string> = {};
  const places: string[] = [];
  const placeOf = createPlaceReader(root);
  for (const name of namesFor(added, from)) {
    const value = from[name];
    if (value === undefined || value === '' || value.includes('\0')) continue;
    const isToolchain = toolchains.includes(name);
    // Anyone who edits the workspace could change a toolchain inside it.
    if (isToolchain && !pathsIn(value).every((path) => placeOf(path).isElsewhere)) continue;
    env[name] = value;
    const shownPaths = secret.test(name) ? [] : pathsIn(value).filter((path) => placeOf(path).isShown);
    // Sources of other projects may be beside Go's downloads and builds.
    places.push(
      ...(name === 'GOPATH' ? shownPaths.flatMap((path) => [`${path}/bin`, `${path}/pkg`]) : shownPaths),
    );
  }
  for (const name of network ? proxies : []) {
    const value = from[name];
    if (value) env[name] = withoutLogin(value);
  }
  return { env, places: [...new Set(places)] };
}

function namesFor(added: readonly string[], from: NodeJS.ProcessEnv): string[] {
  const exact = added.filter((name) => !name.endsWith('*'));
  const prefixes = added.filter((name) => name.endsWith('*')).map((name) => name.slice(0, -1));
  const fitting = Object.keys(from).filter(
    (name) => prefixes.some((start) => name.startsWith(start)) && !secret.test(name),
  );
  return [...new Set([...toolchains, ...plainNames, ...exact, ...fitting])].filter(
    (name) => !neverPassed.test(name),
  );
}

/** A command that is granted the network does not get the login of the proxy. */
function withoutLogin(value: string): string {
  return value.replace(/^([a-z][a-z0-9+.-]*:\/\/)?.*@/is, '$1');
}

function pathsIn(value: string): string[] {
  return value.split(':').filter((path) => path.startsWith('/'));
}

type Place = { isElsewhere: boolean; isShown: boolean };

/** Looks at each path once: a dozen variables may name the same file of certificates. */
function createPlaceReader(root: string): (path: string) => Place {
  const places = new Map<string, Place>();
  const homes = [root, ...userHomes()];
  return (path) => {
    const place = places.get(path) ?? readPlace(path, root, homes);
    places.set(path, place);
    return place;
  };
}

/** Home folders, and folders that contain a home or the workspace, are not shown: that would show everything. */
function readPlace(path: string, root: string, homes: readonly string[]): Place {
  const real = realOf(path);
  if (real === undefined || path.split('/').includes('..') || isUnder(path, root) || isUnder(real, root))
    return { isElsewhere: false, isShown: false };
  return { isElsewhere: true, isShown: real !== '/' && !homes.some((folder) => isUnder(folder, real)) };
}

function realOf(path: string): string | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) && realpathSync.native(path);
  } catch {
    return undefined;
  }
}
