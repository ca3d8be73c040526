// The PathValidator of seed 002, based on the workspace's path walk: each name is opened below the last, so that no link leads out.
import { accessSync, constants } from 'node:fs';
import { type ErrorCode, normalizePath, pluginErrorName, ToolError } from '@codelab/protocol';
import { type Host, relativePath } from '@codelab/runtime';
import { PathValidationError } from '../tools/tool-errors.ts';

type ValidPath = { valid: true; path: string; exists: boolean; size?: number };
export type PathValidation = ValidPath | { valid: false; error: Fault };

/** The result of the walk: the found path, and this process's access to it. */
type Found = { path: string; size: number | undefined; may(access: 'read' | 'write'): boolean };

export class PathValidator {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Checks form, boundary, links, size and permissions. The call checks again when it runs. */
  async validatePath(path: string): Promise<PathValidation> {
    return await this.describe(() => this.#checked(path));
  }

  /** Like `validatePath`, but throws a PathValidationError. */
  async requirePath(path: string): Promise<{ path: string; exists: boolean; size?: number }> {
    try {
      return describe(this.#checked(path));
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      throw new PathValidationError(error.code, error.message, error.details);
    }
  }

  validateWorkspaceBoundary(path: string): Promise<Validation> {
    return validation(() => this.#find(path, () => undefined));
  }

  /** A path that does not exist has no size. The default of `maxSize` is the read limit. */
  checkFileSize(path: string, maxSize?: number): Promise<Validation> {
    return validation(() => this.#find(path, (found) => this.#checkSize(path, found, maxSize)));
  }

  /** Whether this process may read the path; for `write`, whether it could replace or create it. */
  checkPermissions(path: string, access: 'read' | 'write' = 'read'): Promise<Validation> {
    return validation(() => this.#find(path, (found) => checkAccess(path, found, access)));
  }

  /** The real path, relative to the workspace. */
  async resolvePath(path: string): Promise<PathValidation> {
    return await this.describe(() => this.#find(path, (found) => found));
  }

  async describe(find: () => Found): Promise<PathValidation> {
    try {
      return { valid: true, ...describe(find()) };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { valid: false, error: faultOf(error) };
    }
  }

  #checked(path: string): Found {
    return this.#find(path, (found) => {
      this.#checkSize(path, found, undefined);
      // A path that does not exist can only be created.
      checkAccess(path, found, found.size === undefined ? 'write' : 'read');
      return found;
    });
  }

  /** `look` is called while the folder is open. */
  #find<T>(path: string, read: (found: Found) => T): T {
    const { pathChars } = this.#host.limits('plugin');
    const { workspace } = this.#host;
    const relative = relativePath(workspace.root, normalizePath(path));
    using place = workspace.locate(relative, { followLast: true, access: 'read', pathChars });
    const { stat, parent, name, missing } = place;
    const may = (access: 'read' | 'write'): boolean => {
      const isFolder = stat?.isDirectory() === true;
      if (access === 'read') return isPermitted(parent.at(name), isFolder ? R_OK | X_OK : R_OK);
      if (isFolder) return isPermitted(parent.at(name), W_OK | X_OK);
      const isWritable = stat === undefined || missing.length > 0 || isPermitted(parent.at(name), W_OK);
      return isWritable && isPermitted(parent.at('.'), W_OK | X_OK);
    };
    return read({ path: place.path, size: stat === undefined ? undefined : Number(stat.size), may });
  }

  #checkSize(path: string, { size = 0 }: Found, maxSize: number | undefined): void {
    const limit = maxSize ?? this.#host.limits('plugin').readBytes;
    if (size <= limit) return;
    const details = { file_size: size, max_size: limit };
    throw new ToolError('FILE_TOO_LARGE', `${path} has ${size} bytes; at most ${limit} are read.`, details);
  }
}

const { R_OK, W_OK, X_OK } = constants;

function describe({ path, size }: Found): { path: string; exists: boolean; size?: number } {
  return size === undefined ? { path, exists: false } : { path, exists: true, size };
}

function checkAccess(path: string, { may }: Found, access: 'read' | 'write'): void {
  if (may(access)) return;
  throw new ToolError(
    'PERMISSION_DENIED',
    `${path} may not be ${access === 'read' ? 'read' : 'written'} by this user.`,
  );
}

function isPermitted(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** The answer to "would this be accepted?", with the plugin's own names for errors. */
export type Fault = { code: string; message: string; details?: Record<string, unknown> };
export type Validation = { valid: true } | { valid: false; error: Fault };

export async function validation(check: () => unknown): Promise<Validation> {
  try {
    await check();
    return { valid: true };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { valid: false, error: faultOf(error) };
  }
}

function faultOf({ code, message, details }: ToolError): Fault {
  const name = pluginErrorName(code satisfies ErrorCode, details?.reason);
  return details === undefined ? { code: name, message } : { code: name, message, details };
}
