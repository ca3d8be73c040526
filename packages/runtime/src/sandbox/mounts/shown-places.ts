// The visible part of the machine for an unasked command, besides the workspace: system folders, programs on the PATH, and folders in which
// tools store toolchains and downloads. All of it is read-only; nothing else is visible.

import { type Dirent, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { trustedPath } from '../../process/child-environment.ts';
import { isWithin } from '../../workspace/state-folder.ts';
import type { Mount } from './mount.ts';

const namesIn = (names: string): string[] => names.trim().split(/\s+/);

const system = namesIn(`
  /usr /bin /sbin /lib /lib32 /lib64 /libx32 /etc /opt /nix /gnu /snap /run/current-system /run/opengl-driver
  /home/linuxbrew /sys/devices/system /var/lib/gems /var/lib/ghc /var/lib/texmf
`);

// Relative to a user's home. For tools that keep logins beside their downloads, only the downloads are listed; other places known to hold
// logins are hidden as everywhere, and copies take the place of git’s settings.
const tools = namesIn(`
  .asdf .bun .cabal/bin .cabal/packages .cabal/store .cargo .choosenim .composer .conda .config/git/attributes .config/git/config .config/git/ignore .deno
  .dotnet/dotnet .dotnet/host .dotnet/packs .dotnet/sdk .dotnet/shared .dotnet/templates .dotnet/tools
  .elan .fnm .fvm .gem .ghcup .gitconfig .gitignore .gitignore_global .goenv .gradle .hex/packages .ivy2 .jenv .julia .jabba
  .local/bin .local/lib .local/pipx .local/share/fnm .local/share/mise .local/share/nvm .local/share/pipx
  .local/share/pnpm .local/share/rtx .local/share/uv/python .local/share/uv/tools .luarocks .m2 .mix .nimble
  .nix-defexpr .nix-profile .nodenv .npm/_cacache .npm/_npx .npm-global .nuget .nvm .opam .phpenv .pixi .plenv .pnpm-store
  .poetry .pub-cache/bin .pub-cache/hosted .pyenv .rbenv .rustup .rvm .rye .sbt .sdkman .stack .swiftly
  .swiftpm/cache .tfenv .tool-versions .volta .yarn anaconda3 go/bin go/pkg miniconda3 miniforge3 mambaforge n/bin n/lib n/n perl5
  .cache/Cypress .cache/bazel .cache/coursier .cache/deno .cache/electron .cache/go-build .cache/mise .cache/ms-playwright
  .cache/node .cache/node-gyp .cache/pip .cache/pnpm .cache/pre-commit .cache/puppeteer .cache/pypoetry .cache/uv .cache/yarn
`);

let cached: Mount[] | undefined;

export function systemPlaces(): Mount[] {
  cached ??= [...rootLinks(), ...system.flatMap(shownAt)];
  return cached;
}

export function toolPlaces(root: string, homes: readonly string[], declared: readonly string[]): Mount[] {
  const ofUsers = homes.flatMap((home) => toolsIn(home).flatMap(shownAt));
  const declaredPaths = declared.map((path) => path.replace(/^~(?=\/|$)/, homes[0] ?? '~'));
  return [...ofUsers, ...onPath(root, homes), ...declaredPaths.flatMap(shownAt)];
}

// One directory listing instead of a hundred checks of names that mostly do not exist.
function toolsIn(home: string): string[] {
  const present = new Set(entriesOf(home).map(({ name }) => name));
  return tools.filter((name) => present.has(name.split('/', 1)[0] ?? name)).map((name) => join(home, name));
}

/** For a link, both the link and its target are shown. */
function shownAt(path: string): Mount[] {
  const stat = path.startsWith('/') ? lstatSync(path, { throwIfNoEntry: false }) : undefined;
  if (stat === undefined) return [];
  try {
    const target: Mount = { path: realpathSync.native(path), as: 'shown' };
    return stat.isSymbolicLink() ? [{ path, as: 'link' }, target] : [target];
  } catch {
    return [];
  }
}

// Links in the root folder: `/bin`, which usually leads to `/usr/bin`, and `/home` where homes are elsewhere.
function rootLinks(): Mount[] {
  return entriesOf('/')
    .filter((entry) => entry.isSymbolicLink())
    .map(({ name }) => ({ path: `/${name}`, as: 'link' }));
}

const paths = new Map<string, Mount[]>();

function onPath(root: string, homes: readonly string[]): Mount[] {
  const folders = trustedPath(root);
  const key = JSON.stringify([folders, homes]);
  const programs = paths.get(key) ?? folders.flatMap((folder) => programsIn(folder, homes));
  paths.set(key, programs);
  return programs;
}

// A program finds its other files beside its folder; the target of a link in the folder may be anywhere.
function programsIn(folder: string, homes: readonly string[]): Mount[] {
  const isShown = (path: string): boolean => system.some((folder) => isWithin(path, folder));
  const real = realpathSync.native(folder);
  if (['/usr/bin', '/usr/sbin'].includes(real)) return [];
  const targets = entriesOf(real)
    .filter((entry) => entry.isSymbolicLink())
    .flatMap(({ name }) => rootsOwn(join(real, name)));
  const isPrivate = (path: string): boolean => homes.some((home) => isWithin(path, home));
  const folders = [real, ...targets.map(dirname)]
    .filter((path) => !isShown(path))
    .map((path) => (isPrivate(path) || basename(path) !== 'bin' ? path : dirname(path)));
  return [...new Set(folders)]
    .filter((path) => path !== '/' && !(isPrivate(path) && path !== real))
    .flatMap(shownAt);
}

function rootsOwn(link: string): string[] {
  try {
    const real = realpathSync.native(link);
    return lstatSync(real).uid === 0 ? [real] : [];
  } catch {
    return [];
  }
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
