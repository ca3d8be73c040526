// Which files a glob means, as a test for paths and as what ripgrep can leave out by itself.
import { ToolError } from '@codelab/protocol';
import { compileGlob, expandBraces } from '../workspace/glob.ts';

export type FileFilter = { test(path: string): boolean; ripgrepArguments: readonly string[] };

export const everyFile: FileFilter = { test: () => true, ripgrepArguments: [] };

/** Without a slash the pattern speaks about names at any depth, with one about paths below the searched directory. */
export function fileFilter(pattern: string, field: string): FileFilter {
  return pattern.includes('/') ? pathFilter(pattern, field) : byName(pattern, field);
}

/** The pattern speaks about whole paths below the searched directory. */
export function pathFilter(pattern: string, field: string): FileFilter {
  const plain = pattern.replace(/^(\.\/)+/, '');
  checkPattern(plain, field);
  const isMatch = compileGlob(plain);
  const start = /^(?:[\w .-]+\/)*/.exec(plain)?.[0] ?? '';
  return {
    // Most paths are told apart by their beginning, which costs nothing.
    test: (path) => path.startsWith(start) && isMatch(path),
    ripgrepArguments: namesOnly(plain.slice(plain.lastIndexOf('/') + 1)),
  };
}

function byName(pattern: string, field: string): FileFilter {
  checkPattern(pattern, field);
  const isMatch = compileGlob(pattern);
  return {
    test: (path) => isMatch(path.slice(path.lastIndexOf('/') + 1)),
    ripgrepArguments: namesOnly(pattern),
  };
}

function checkPattern(pattern: string, field: string): void {
  const isPlain = !pattern.includes('\0') && expandBraces(pattern).every(staysBelow);
  if (isPlain) return;
  throw new ToolError('INVALID_ARGUMENTS', `\`${field}\` must be a relative glob without \`..\`.`, { field });
}

function staysBelow(pattern: string): boolean {
  return !pattern.startsWith('/') && !pattern.split('/').includes('..');
}

// A file type, not `--glob`: what a glob names is searched even when an ignore file says otherwise. Only what both sides read alike.
function namesOnly(pattern: string): string[] {
  const isAlike = /^(?:[\w .*-]|\{[\w .*,-]*\})+$/.test(pattern) && !pattern.includes('**');
  return isAlike && pattern !== '*' ? [`--type-add=wanted:${pattern}`, '--type=wanted'] : [];
}
