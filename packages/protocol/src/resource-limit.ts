// Failures that mean: the system has no more of something to give. Nobody's defect, and over when some of it is free again.
import { ToolError } from './tool-error.ts';

const causes: Partial<Record<string, string>> = {
  EMFILE:
    'This process has as many files open as it may. Raise the limit (`ulimit -n`, or LimitNOFILE in a service), or let fewer calls run at once',
  ENFILE: 'The system has as many files open as it can. Close other programs, or raise fs.file-max',
  ENOMEM: 'The system has no memory left. Close other programs',
  EAGAIN: 'The system starts no further process for this user. Close other programs, or raise `ulimit -u`',
};

/** The ToolError for such a failure; undefined for any other. */
export function resourceLimit(error: unknown): ToolError | undefined {
  if (!(error instanceof Error)) return undefined;
  // Removing a tree says it in words only.
  const said = /Too many open files/.test(error.message) ? 'EMFILE' : '';
  const errno = 'code' in error && error.code !== '' ? String(error.code) : said;
  // Reading and writing say EAGAIN as well, where it has nothing to do with a limit.
  const isSpawn = errno === 'EAGAIN' && /\bspawn/.test(error.message);
  const text = errno === 'EAGAIN' && !isSpawn ? undefined : causes[errno];
  if (text === undefined) return undefined;
  return new ToolError('RESOURCE_LIMIT', `${text}. Then repeat the call.`, { errno });
}
