// Lists the files of a tree, or those with a matching line, with ripgrep: all of them, sorted by path.

import { lstatSync } from 'node:fs';
import { protectedArguments } from '../policy/built-in-rules.ts';
import type { Directory } from '../workspace/directory.ts';
import { ignoreArguments } from '../workspace/trees/ignore-rules.ts';
import { startRipgrep } from './run-ripgrep.ts';
import type { SearchRequest } from './search-request.ts';

export type PathSearch = Pick<SearchRequest, 'directory' | 'root' | 'files' | 'isWithheld' | 'signal'> & {
  program: string;
  maxPaths: number;
  /** Lists only files with a matching line. */
  holding?: Pick<SearchRequest, 'query' | 'isRegex' | 'isCaseSensitive'>;
};

export type FoundPaths = { paths: string[]; hasMore: boolean };

export async function listMatchingPaths(search: PathSearch): Promise<FoundPaths> {
  search.signal.throwIfAborted();
  const paths: string[] = [];
  let partial: Buffer = Buffer.alloc(0);
  const run = startRipgrep({
    program: search.program,
    args: argumentsFor(search),
    cwd: search.directory.at('.'),
    take(chunk) {
      const bytes = partial.length === 0 ? chunk : Buffer.concat([partial, chunk]);
      const end = bytes.lastIndexOf(0);
      partial = bytes.subarray(end + 1);
      if (end < 0) return;
      for (const name of bytes.toString('utf8', 0, end).split('\0')) {
        const path = name.replace(/^\.\//, '');
        if (search.files.test(path) && !search.isWithheld(path)) paths.push(path);
      }
      if (paths.length > search.maxPaths) run.stop();
    },
  });
  const stop = (): void => run.stop();
  search.signal.addEventListener('abort', stop, { once: true });
  try {
    await run.ended;
    search.signal.throwIfAborted();
  } finally {
    search.signal.removeEventListener('abort', stop);
  }
  return { paths: paths.sort().slice(0, search.maxPaths), hasMore: paths.length > search.maxPaths };
}

function argumentsFor({ files, root, holding }: PathSearch): string[] {
  const shared = ['--null', ...files.ripgrepArguments, ...ignoreArguments(root)];
  if (holding === undefined) return ['--files', '--iglob=!.git', ...shared, '--', './'];
  return [
    '--files-with-matches',
    '--crlf',
    holding.isRegex ? '--no-fixed-strings' : '--fixed-strings',
    holding.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ...protectedArguments(),
    ...shared,
    '-e',
    holding.query,
    '--',
    './',
  ];
}

// Files with their modification time, newest first; files of the same time are sorted by path.

/** Only times are read, so the path need not be walked by descriptor. */
export function newestFirst(
  directory: Directory,
  paths: readonly string[],
): { path: string; modified: string }[] {
  return paths
    .flatMap((path) => {
      const stat = lstatSync(directory.at(path), { throwIfNoEntry: false });
      return stat === undefined ? [] : [{ path, time: stat.mtimeMs, modified: stat.mtime.toISOString() }];
    })
    .sort((a, b) => b.time - a.time || (a.path < b.path ? -1 : 1))
    .map(({ path, modified }) => ({ path, modified }));
}
