// The same search without ripgrep, slower: own directory walk and ignore rules; lines are matched on a worker thread that can be
// terminated.

import { type LineMatch, startPatternWorker } from '../platform/pattern-worker.ts';
import { type RegularFile, readWhole } from '../workspace/read-bytes.ts';
import { openBelow } from '../workspace/trees/ignore-rules.ts';
import type { FoundPaths, PathSearch } from './list-paths.ts';
import type { Hit, Hits, SearchRequest } from './search-request.ts';
import { translatePattern } from './translate-pattern.ts';
import { walkFiles } from './walk-files.ts';

const maxFileBytes = 10 * 1024 * 1024;
const byteOrderMark = Buffer.from('\ufeff');

export async function findLinesBuiltIn(
  search: SearchRequest & { maxHits: number; input?: RegularFile },
): Promise<Hits> {
  const { maxHits, input } = search;
  await using worker = startPatternWorker(translatePattern(search.query, search), search.signal);
  const hits: Hit[] = [];
  const searchFile = async (file: RegularFile, path: string): Promise<void> => {
    const bytes = textBytes(file);
    if (bytes === undefined) return;
    const matches = await worker.match(bytes.toString(), maxHits + 1 - hits.length);
    hits.push(...hitsIn(bytes, matches, path));
  };
  if (input !== undefined) await searchFile(input, '');
  else
    for await (const { path, parent, name } of walkFiles(search.directory, search)) {
      if (!search.files.test(path) || search.isWithheld(path)) continue;
      using file = openBelow(parent, name);
      if (file !== undefined) await searchFile(file, path);
      if (hits.length > maxHits) break;
    }
  const sorted = hits.slice(0, maxHits).sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0));
  return { hits: sorted, hasMore: hits.length > maxHits };
}

export async function listPathsBuiltIn(search: Omit<PathSearch, 'program'>): Promise<FoundPaths> {
  const { holding, maxPaths } = search;
  const paths: string[] = [];
  await using worker = holding && startPatternWorker(translatePattern(holding.query, holding), search.signal);
  const hasMatch = async (file: RegularFile): Promise<boolean> => {
    const bytes = textBytes(file);
    return bytes !== undefined && ((await worker?.match(bytes.toString(), 1)) ?? []).length > 0;
  };
  for await (const { path, parent, name } of walkFiles(search.directory, search)) {
    if (!search.files.test(path) || search.isWithheld(path)) continue;
    using file = worker === undefined ? undefined : openBelow(parent, name);
    if (worker === undefined || (file !== undefined && (await hasMatch(file)))) paths.push(path);
    if (paths.length > maxPaths) break;
  }
  return { paths: paths.slice(0, maxPaths).sort(), hasMore: paths.length > maxPaths };
}

/** Undefined for a file that is not text or too large to search. */
function textBytes(file: RegularFile): Buffer | undefined {
  if (file.stat.size > maxFileBytes) return undefined;
  const bytes = readWhole(file, '');
  if (bytes.includes(0)) return undefined;
  const hasMark = bytes.subarray(0, byteOrderMark.length).equals(byteOrderMark);
  return hasMark ? bytes.subarray(byteOrderMark.length) : bytes;
}

function hitsIn(bytes: Buffer, found: readonly LineMatch[], path: string): Hit[] {
  let line = 1;
  let offset = 0;
  return found.map((match) => {
    for (; line < match.line; line++) offset = bytes.indexOf(10, offset) + 1;
    const end = bytes.indexOf(10, offset);
    const content = bytes.subarray(offset, end < 0 ? bytes.length : end + 1);
    const text = content.toString();
    const start = Buffer.byteLength(text.slice(0, match.start));
    const length = Buffer.byteLength(text.slice(match.start, match.end));
    const matchBytes = content.subarray(start, start + length);
    return { path, line, offset: offset + start, start, match: matchBytes };
  });
}
