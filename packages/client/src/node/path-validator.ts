// Seed 002's PathValidator over the workspace's own walk: each name is opened below the last, so that no link leads out.
import { ToolError } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { type Fault, faultOf, type Validation, validation } from './validation.ts';

type ValidPath = { valid: true; path: string; exists: boolean; size?: number };
export type PathValidation = ValidPath | { valid: false; error: Fault };

type Found = { path: string; size: number | undefined };

export class PathValidator {
  readonly #host: Host;

  constructor(host: Host) {
    this.#host = host;
  }

  /** Form, boundary, links and size. What is valid now is looked at again when the call runs. */
  validatePath(path: string): Promise<PathValidation> {
    return this.#about(path, (found) => this.#checkSize(path, found, undefined));
  }

  validateWorkspaceBoundary(path: string): Promise<Validation> {
    return validation(() => this.#find(path));
  }

  /** Of a file; what is not there yet has no size. Without `maxSize`: as much as may be read. */
  checkFileSize(path: string, maxSize?: number): Promise<Validation> {
    return validation(() => this.#checkSize(path, this.#find(path), maxSize));
  }

  /** Where the path leads, relative to the workspace and behind all links. */
  async resolvePath(path: string): Promise<PathValidation> {
    return await this.#about(path, () => undefined);
  }

  async #about(path: string, check: (found: Found) => void): Promise<PathValidation> {
    try {
      const found = this.#find(path);
      check(found);
      const known = { valid: true as const, path: found.path, exists: found.size !== undefined };
      return found.size === undefined ? known : { ...known, size: found.size };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { valid: false, error: faultOf(error) };
    }
  }

  #find(path: string): Found {
    const { pathChars } = this.#host.limits('plugin');
    using place = this.#host.workspace.locate(path, { followLast: true, access: 'read', pathChars });
    return { path: place.path, size: place.stat === undefined ? undefined : Number(place.stat.size) };
  }

  #checkSize(path: string, { size = 0 }: Found, maxSize: number | undefined): void {
    const most = maxSize ?? this.#host.limits('plugin').readBytes;
    if (size <= most) return;
    const details = { file_size: size, max_size: most };
    throw new ToolError('FILE_TOO_LARGE', `${path} has ${size} bytes; at most ${most} are read.`, details);
  }
}
