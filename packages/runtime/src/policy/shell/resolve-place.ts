// Where a path in a command leads: the same guard as for any tool, after `..` and absolute spellings were read as the system would.
import { realpathSync } from 'node:fs';
import { posix } from 'node:path';
import { type Access, type CommandPart, ToolError } from '@codelab/protocol';
import { isStateFolderError } from '../../workspace/state-folder.ts';
import type { Workspace } from '../../workspace/workspace.ts';
import type { Scene } from './scene.ts';

const pathChars = 4096;

export type Place =
  | { kind: 'inside'; asked: string; path: string; exists: boolean; isFolder: boolean; isLinked: boolean }
  | Outside
  | { kind: 'guarded'; reason: string };

/**
 * `shared`: the folder for temporary files, of which commands in the sandbox have one of their own. `system`: what everybody may read on the
 * machine, and nobody keeps a secret in.
 */
export type Outside = { kind: 'outside'; where?: 'shared' | 'system' };

/** `cwd` is a real folder of the workspace, without links on the way to it. */
export function resolvePlace(workspace: Workspace, cwd: string, value: string, access: Access): Place {
  let asked: string | undefined;
  try {
    asked = withoutParents(workspace, cwd, value);
    if (asked === undefined) return outsideAt(value);
    using place = workspace.locate(asked || '.', { followLast: access !== 'delete', access, pathChars });
    const { path, stat, links } = place;
    const isFolder = stat?.isDirectory() === true;
    return {
      kind: 'inside',
      asked: asked || '.',
      path,
      exists: stat !== undefined,
      isFolder,
      isLinked: links.length > 0,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    if (isStateFolderError(error)) throw error;
    if (error.code === 'PERMISSION_DENIED') return { kind: 'guarded', reason: error.message };
    // Below a file there is nothing, neither inside nor outside.
    if (error.code === 'NOT_A_DIRECTORY' && asked !== undefined)
      return { kind: 'inside', asked, path: asked, exists: false, isFolder: false, isLinked: false };
    return { kind: 'outside' };
  }
}

/** Relative to the workspace and without `..`; each `..` is taken from where the names before it really lead. */
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

/** Where a part stands: in which folder, when that is known, and how deep inside other parts. */
export function standingIn({ cwds, depth }: Scene): Pick<CommandPart, 'cwd' | 'depth'> {
  const [cwd] = cwds ?? [];
  return {
    ...(cwds?.length === 1 && { cwd: cwd === '' || cwd === undefined ? '.' : cwd }),
    ...(depth > 0 && { depth }),
  };
}

const systemFolders = /^\/(usr|bin|sbin|lib|lib32|lib64|libx32)(\/|$)/;
const systemFiles =
  /^\/(etc\/(os-release|lsb-release|debian_version|alpine-release|redhat-release|issue|hosts|hostname|timezone|localtime|shells|nsswitch\.conf|resolv\.conf|ld\.so\.conf|services|protocols|mime\.types)|proc\/(cpuinfo|meminfo|version|loadavg|uptime|stat|filesystems|mounts|sys\/kernel\/(hostname|osrelease|ostype|version)))$/;

/** Where an absolute path outside of the workspace leads, as far as that changes what is asked. */
function outsideAt(value: string): Outside {
  if (!value.startsWith('/')) return { kind: 'outside' };
  const path = posix.normalize(value);
  if (/^\/(var\/)?tmp(\/|$)/.test(path)) return { kind: 'outside', where: 'shared' };
  const isSystem = (one: string): boolean => systemFolders.test(one) || systemFiles.test(one);
  return isSystem(path) && isSystem(realOf(path))
    ? { kind: 'outside', where: 'system' }
    : { kind: 'outside' };
}

function realOf(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return path;
  }
}
