// Seed 002's FileSystemExecutor: reads, writes and lists through the runtime.
import { findDialect } from '@codelab/dialects';
import { randomId } from '@codelab/runtime';
import type { ToolResult } from '../api/tool-calls.ts';
import { PathValidator } from './path-validator.ts';
import { type ExecutorOptions, runPluginCall } from './run-plugin-call.ts';
import { type Validation, validation } from './validation.ts';

type Json = Record<string, unknown>;

export class FileSystemExecutor {
  readonly #options: ExecutorOptions;
  readonly #paths: PathValidator;

  constructor(options: ExecutorOptions) {
    this.#options = options;
    this.#paths = new PathValidator(options.host);
  }

  executeReadFile(path: string, encoding = 'utf-8', signal?: AbortSignal): Promise<ToolResult> {
    return this.#run('read_file', { path, encoding }, signal);
  }

  /** With `createIfMissing: false` only a file that is there is written. Its folder must be there. */
  executeWriteFile(
    path: string,
    content: string,
    options: { encoding?: string; createIfMissing?: boolean } = {},
    signal?: AbortSignal,
  ): Promise<ToolResult> {
    return this.#run('write_file', { path, content, ...options }, signal);
  }

  executeListDirectory(
    path: string,
    options: { recursive?: boolean; pattern?: string } = {},
    signal?: AbortSignal,
  ): Promise<ToolResult> {
    return this.#run('list_directory', { path, ...options }, signal);
  }

  /** Whether arguments of one of the three would be accepted: their form, and where the path leads. */
  async validate(args: Json): Promise<Validation> {
    const asked = { id: 'validate', tool: toolFor(args), args };
    const form = await validation(() => findDialect('plugin').ask(asked));
    return form.valid ? await this.#paths.validateWorkspaceBoundary(String(args.path)) : form;
  }

  #run(tool: string, args: Json, signal: AbortSignal | undefined): Promise<ToolResult> {
    return runPluginCall(this.#options, { id: randomId(), tool, args, ...(signal && { signal }) });
  }
}

function toolFor(args: Json): string {
  if ('content' in args) return 'write_file';
  return 'recursive' in args || 'pattern' in args ? 'list_directory' : 'read_file';
}
