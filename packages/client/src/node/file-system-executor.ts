// Seed 002's FileSystemExecutor: reads, writes and lists through the runtime.
import { findDialect } from '@codelab/dialects';
import type { ToolResult } from '../api/tool-calls.ts';
import { BaseToolExecutor } from './base-tool-executor.ts';
import { PathValidator } from './path-validator.ts';
import type { ExecutorOptions } from './run-plugin-call.ts';
import { type Validation, validation } from './validation.ts';

type Json = Record<string, unknown>;

export class FileSystemExecutor extends BaseToolExecutor {
  readonly tools = ['read_file', 'write_file', 'list_directory'];
  readonly #paths: PathValidator;

  constructor(options: ExecutorOptions) {
    super(options);
    this.#paths = new PathValidator(options.host);
  }

  /** `encoding` is utf-8, utf-16le or latin1. What is not UTF-8 can be read, but not written. */
  executeReadFile(path: string, encoding = 'utf-8', signal?: AbortSignal): Promise<ToolResult> {
    return this.execute('read_file', { path, encoding }, signal);
  }

  /** With `createIfMissing: false` only a file that is there is written. Its folder must be there. */
  executeWriteFile(
    path: string,
    content: string,
    options: { encoding?: string; createIfMissing?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<ToolResult> {
    return this.execute('write_file', { path, content, ...options }, signal);
  }

  executeListDirectory(
    path: string,
    options: { recursive?: boolean; pattern?: string } = {},
    signal?: AbortSignal,
  ): Promise<ToolResult> {
    return this.execute('list_directory', { path, ...options }, signal);
  }

  /** Whether the system lets this process read the path, or write it. */
  checkPermissions(path: string, access: 'read' | 'write' = 'read'): Promise<Validation> {
    return this.#paths.checkPermissions(path, access);
  }

  /** Whether arguments of one of the three would be accepted: their form, and where the path leads. */
  async validate(args: Json): Promise<Validation> {
    const asked = { id: 'validate', tool: toolFor(args), args };
    const form = await validation(() => findDialect('plugin').ask(asked));
    return form.valid ? await this.#paths.validateWorkspaceBoundary(String(args.path)) : form;
  }
}

function toolFor(args: Json): string {
  if ('content' in args) return 'write_file';
  return 'recursive' in args || 'pattern' in args ? 'list_directory' : 'read_file';
}
