// Resolves a path in a command: the same checks as for any tool, after `..` and absolute spellings are resolved as the system would.
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, posix } from 'node:path';
import { type Access, type CommandPart, phrase, ToolError } from '@codelab/protocol';
import {
  holdsState,
  isStateFolderError,
  leadsToState,
  type StateFolder,
  stateFolderError,
  stateFolders,
} from '../../../workspace/state-folder.ts';
import type { Workspace } from '../../../workspace/workspace.ts';
import type { Argument } from '../argument.ts';
import { alwaysAsks, asksUnlessHeld, type Judgement, strictest } from '../judgement.ts';
import type { LineState } from '../line-state.ts';

const pathChars = 4096;

export type ResolvedPlace =
  | { kind: 'inside'; asked: string; path: string; exists: boolean; isFolder: boolean; isLinked: boolean }
  | OutsidePlace
  | { kind: 'refused'; reason: string };

/** `shared`: the folder for temporary files; sandboxed commands have a private one. `system`: world-readable places without secrets. */
type OutsidePlace = { kind: 'outside'; where?: 'shared' | 'system' };

/** `cwd` is a real folder of the workspace, without links on the way to it. */
export function resolvePlace(
  workspace: Workspace,
  cwd: string,
  value: string,
  access: Access,
): ResolvedPlace {
  let relative: string | undefined;
  try {
    relative = withoutParents(workspace, cwd, value);
    if (relative === undefined) return outsideAt(value);
    using place = workspace.locate(relative || '.', { followLast: access !== 'delete', access, pathChars });
    const { path, stat, links } = place;
    const isFolder = stat?.isDirectory() === true;
    return {
      kind: 'inside',
      asked: relative || '.',
      path,
      // A name that is not UTF-8 can't be looked up as text; what it stands for may well be there.
      exists: stat !== undefined || path.includes('\ufffd'),
      isFolder,
      isLinked: links.length > 0,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (isStateFolderError(error)) throw error;
    if (error.code === 'PERMISSION_DENIED') return { kind: 'refused', reason: error.message };
    // Nothing exists below a file.
    if (error.code === 'NOT_A_DIRECTORY' && relative !== undefined)
      return {
        kind: 'inside',
        asked: relative,
        path: relative,
        exists: false,
        isFolder: false,
        isLinked: false,
      };
    return { kind: 'outside' };
  }
}

/** Relative to the workspace and without `..`; each `..` is resolved from the real target of the names before it. */
function withoutParents(workspace: Workspace, cwd: string, value: string): string | undefined {
  const { real } = workspace.root;
  const isAbsolute = value.startsWith('/');
  if (isAbsolute && value !== real && !value.startsWith(`${real}/`)) return undefined;
  const names = (isAbsolute ? value.slice(real.length) : value).split('/');
  let reached = isAbsolute ? '' : cwd;
  for (const name of names) {
    if (name === '' || name === '.') continue;
    if (name !== '..') reached = reached === '' ? name : `${reached}/${name}`;
    else {
      if (reached === '') return undefined;
      using place = workspace.locate(reached, { followLast: true, access: 'read', pathChars });
      if (place.path === '.') return undefined;
      reached = place.path.split('/').slice(0, -1).join('/');
    }
  }
  return reached;
}

/** The folder a part runs in, if known, and how deeply the part is nested in others. */
export function partLocation({ cwds, depth }: LineState): Pick<CommandPart, 'cwd' | 'depth'> {
  const [cwd] = cwds ?? [];
  return {
    ...(cwds?.length === 1 && { cwd: cwd === '' || cwd === undefined ? '.' : cwd }),
    ...(depth > 0 && { depth }),
  };
}

// Folders below the home where tools store downloads; logins are beside these folders, never inside.
const toolFolders =
  /^\/(\.cargo\/(registry|git)|\.rustup\/toolchains|go\/pkg\/mod|\.nvm\/versions|\.volta\/tools|\.m2\/repository|\.gradle\/(caches|wrapper)|\.pyenv\/versions|\.rbenv\/versions|\.rvm\/gems|\.asdf\/installs|\.local\/share\/mise\/installs|\.local\/lib\/python[\d.]+|\.pub-cache\/hosted|\.nuget\/packages|\.sdkman\/candidates|\.julia\/packages|\.opam\/[\w.-]+\/lib|\.stack\/programs|\.npm\/_npx)\//;

/** A path below the home, expanded as the shell would, where it lies in a tool's download folder; any other path there is private. */
export function toolPath(text: string): string | undefined {
  const [, below] = /^(?:~|"?\$HOME|"?\$\{HOME\})(\/[\w.@+/-]+)"?$/.exec(text) ?? [];
  const path = below === undefined ? undefined : `${homedir()}${below}`;
  return path !== undefined && outsideAt(path).where === 'system' ? path : undefined;
}

const systemFolders = /^\/(usr|bin|sbin|lib|lib32|lib64|libx32)(\/|$)/;
const systemFiles =
  /^\/(etc\/(os-release|lsb-release|debian_version|alpine-release|redhat-release|issue|hosts|hostname|timezone|localtime|shells|nsswitch\.conf|resolv\.conf|ld\.so\.conf|services|protocols|mime\.types)|proc\/(cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|mounts|sys\/kernel\/(hostname|osrelease|ostype|version)))$/;

/** The kind of an absolute path outside the workspace, as far as it matters for approvals. */
function outsideAt(value: string): OutsidePlace {
  if (!value.startsWith('/')) return { kind: 'outside' };
  const path = posix.normalize(value);
  if (/^\/(var\/)?tmp(\/|$)/.test(path)) return { kind: 'outside', where: 'shared' };
  // Behind a link, `..` leads elsewhere than its text says.
  if (value.split('/').includes('..')) return { kind: 'outside' };
  const home = homedir();
  const isTool = (file: string): boolean =>
    file.startsWith(`${home}/`) && toolFolders.test(file.slice(home.length));
  const isOwn = (file: string): boolean => file.startsWith(`${nodeFolder}/`) && nodeFolder !== '/';
  const isSystem = (file: string): boolean =>
    systemFolders.test(file) || systemFiles.test(file) || isTool(file) || isOwn(file);
  return isSystem(path) && isSystem(realOf(path))
    ? { kind: 'outside', where: 'system' }
    : { kind: 'outside' };
}

// Node's own headers and packages, wherever Node is installed.
const nodeFolder = join(dirname(dirname(process.execPath)), 'lib', 'node_modules');

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}

// Whether a word with slashes is prose, an expression or a quoted program, not a path. A word that exists on the disk is a path.
function isProse(path: string): boolean {
  return (
    /[^\w@%+=:,./~-]/.test(path) && !/^\.\.?\//.test(path) && !existsSync(path) && !existsSync(dirname(path))
  );
}

export function leavingWords(args: readonly Argument[], { workspace, cwds }: LineState): Judgement[] {
  const placeOf = (path: string, isExact: boolean): OutsidePlace | undefined => {
    if (path.startsWith('~')) return { kind: 'outside' };
    if (path === '/dev/null' || (!path.includes('/') && path !== '..') || (isExact && isProse(path)))
      return undefined;
    if (cwds === undefined && !path.startsWith('/'))
      return /(^|\/)\.\.(\/|$)/.test(path) ? { kind: 'outside' } : undefined;
    const places = (cwds ?? ['']).map((cwd) => resolvePlace(workspace, cwd, path, 'read'));
    const outside = places.filter((place) => place.kind === 'outside');
    return outside.find(({ where }) => where === undefined) ?? outside[0];
  };
  const findings = args.flatMap(({ kind, text, value }) =>
    pathsIn(value).flatMap((path) => {
      const place = placeOf(path, kind === 'exact');
      if (place === undefined) return [];
      const judgement = place.where === undefined ? alwaysAsks : asksUnlessHeld;
      return [judgement(phrase('place.outside', { word: text }), 'critical')];
    }),
  );
  return findings.length === 0 ? [] : [strictest(findings)];
}

/** The paths that a word may name: `--out=PATH` and `-oPATH` name one as well. Most words name one, and looking it up is costly. */
function pathsIn(word: string): string[] {
  return [...new Set([word, word.replace(/^[^=]*=/, ''), word.replace(/^-\w/, '')])];
}

// Refuses a command that names CodeLab's own state folder. The sandbox hides the folder from programs that find it in another way.

export function refuseState(args: readonly Argument[], { workspace, cwds }: LineState): void {
  const { state, real } = workspace.root;
  if (state === undefined) return;
  const leads = (path: string): boolean =>
    path.startsWith('/')
      ? leadsToState(state, path)
      : (cwds ?? ['']).some((cwd) => leadsToState(state, `${real}/${cwd}/${path}`));
  for (const { kind, value, text } of args) {
    const word = kind === 'exact' ? value : expandHome(text.replaceAll(/["']/g, ''), state);
    // Code in a word may name the folder anywhere.
    if (
      stateFolders(state).some(({ real }) => word.includes(real)) ||
      pathsIn(word).some((path) => path !== '' && !path.includes('\0') && leads(path))
    )
      throw stateFolderError();
  }
}

/** Refuses an operation on a whole folder when the state folder lies in it. */
export function refuseHoldingState(places: readonly ResolvedPlace[], { workspace }: LineState): void {
  const { state, real } = workspace.root;
  if (state === undefined) return;
  for (const place of places)
    if (place.kind === 'inside' && place.isFolder && holdsState(state, `${real}/${place.path}`))
      throw stateFolderError();
}

// Expands the variables that lead there; other variables are known only at run time, and a human is asked.
function expandHome(text: string, { real, keys }: StateFolder): string {
  return text
    .replace(/^(.*?=)?(?:~|\$HOME|\$\{HOME\})(?=\/|$)/, (_, before: string = '') => before + homedir())
    .replace(
      /^(.*?=)?\$(?:CODELAB_(HOME|KEYS)|\{CODELAB_(HOME|KEYS)\})(?=\/|$)/,
      (match, before: string = '', unbraced?: string, braced?: string) => {
        const folder = (unbraced ?? braced) === 'HOME' ? real : keys?.real;
        return folder === undefined ? match : before + folder;
      },
    );
}
