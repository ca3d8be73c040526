/**
 * Finds matching lines with ripgrep, up to a limit. A search sorted by path uses one thread; a search on all cores has no order.
 * Where matches are common the sorted search is faster, where they are rare the parallel one. A short query therefore gets a sorted
 * trial first; a long query, which is seldom common, searches on all cores at once. A complete result is the same either way. A result
 * that was cut off holds the first matches by path, unless the parallel search took long to reach the limit.
 */
import { availableParallelism } from 'node:os';
import { ToolError } from '@codelab/protocol';
import { protectedArguments } from '../policy/built-in-rules.ts';
import { ignoreArguments } from '../workspace/trees/ignore-rules.ts';
import { createRecordReader } from './read-records.ts';
import { processorMs, type RipgrepRun, startRipgrep } from './run-ripgrep.ts';
import type { Hit, Hits, SearchRequest } from './search-request.ts';

type LineSearch = SearchRequest & {
  program: string;
  maxHits: number;
  /** An open file to search instead of the directory. */
  input?: number;
  maxMemory?: number;
};

type Collector = {
  run: RipgrepRun;
  hits: Hit[];
  ended: Promise<SearchEnd>;
  /** Processor time until the collector was full, or until now; processor time, so that a busy machine changes no answer. */
  usedMs(): number;
};
type Start = (extraArgs: readonly string[]) => Collector;
type SearchEnd = 'all' | 'full' | 'stopped' | 'too large';

// Processor time of the sorted trial before its hits are counted; starting ripgrep takes a part of it.
const trialMs = 8;
const lookMs = 8;
const lookAgainMs = 2;
const promisingShare = 1 / 4;
const quickMs = 50;
const shortQuery = 8;

export async function findLines(search: LineSearch): Promise<Hits> {
  const started: Collector[] = [];
  const start: Start = (extraArgs) => {
    search.signal.throwIfAborted();
    const collector = collect(search, extraArgs);
    started.push(collector);
    return collector;
  };
  const stopAll = (): void => {
    for (const { run } of started) run.stop();
  };
  search.signal.addEventListener('abort', stopAll, { once: true });
  try {
    const result = await searchOrRetry(search, start);
    search.signal.throwIfAborted();
    return result;
  } finally {
    search.signal.removeEventListener('abort', stopAll);
    stopAll();
    await Promise.allSettled(started.map(({ ended }) => ended));
  }
}

async function searchOrRetry(search: LineSearch, start: Start): Promise<Hits> {
  const best = await race(search, start);
  if ((await best.ended) !== 'too large') return hitsOf(best, search);
  if (search.input !== undefined)
    throw new ToolError('FILE_TOO_LARGE', 'A line of this file is too long to be searched.');
  // Some file has a line so long that memory ran short: search again without large files.
  const sortedSearch = start(['--sort=path', '--max-filesize=10M']);
  await sortedSearch.ended;
  return hitsOf(sortedSearch, search);
}

async function race(search: LineSearch, start: Start): Promise<Collector> {
  const isAlone = search.input !== undefined || availableParallelism() === 1;
  if (isAlone || search.query.length <= shortQuery) {
    const ordered = start(['--sort=path']);
    if (isAlone || (await deservesToGoOn(ordered, search))) return ordered;
    ordered.run.stop();
  }
  const wide = start([]);
  // In a small tree the search ended quickly, so a second, sorted search for the first matches by path is affordable.
  const isQuick = (await wide.ended) === 'full' && wide.usedMs() < quickMs;
  return isQuick ? start(['--sort=path']) : wide;
}

/** True when the sorted search has ended, or has so many hits that no other search would reach the limit sooner. */
async function deservesToGoOn(ordered: Collector, search: LineSearch): Promise<boolean> {
  for (let wait = lookMs; !(await isOver(ordered, wait)); wait = lookAgainMs) {
    if (search.signal.aborted || ordered.hits.length >= search.maxHits * promisingShare) return true;
    if (ordered.usedMs() >= trialMs) return false;
  }
  return true;
}

async function isOver({ ended }: Collector, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, ms, false);
  });
  try {
    return await Promise.race([ended.then(() => true), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

function collect(search: LineSearch, extraArgs: readonly string[]): Collector {
  const hits: Hit[] = [];
  let isFull = false;
  let usedMs: number | undefined;
  const began = performance.now();
  let last: { path: string; isWanted: boolean } | undefined;
  const isWanted = (path: string): boolean => {
    if (last?.path !== path) last = { path, isWanted: search.input !== undefined || isAsked(search, path) };
    return last.isWanted;
  };
  const records = createRecordReader({
    hit(hit) {
      if (isFull || !isWanted(hit.path)) return;
      hits.push(hit);
      if (hits.length <= search.maxHits) return;
      isFull = true;
      usedMs = processorMs(run.pid, began);
      run.stop();
    },
    binary: (path) => drop(hits, path),
  });
  const run = startRipgrep({
    program: search.program,
    args: [
      ...argumentsFor(search),
      ...extraArgs,
      '-e',
      search.query,
      '--',
      search.input === undefined ? './' : '-',
    ],
    cwd: search.directory.at('.'),
    take: records.read,
    ...(search.input !== undefined && { input: search.input }),
    ...(search.maxMemory !== undefined && { maxMemory: search.maxMemory }),
  });
  const ended = run.ended.then((ending): SearchEnd => {
    records.end();
    return isFull ? 'full' : ending === 'ended' ? 'all' : ending;
  });
  // The search that lost the race is stopped, and its failure is ignored.
  ended.catch(() => undefined);
  return { run, hits, ended, usedMs: () => usedMs ?? processorMs(run.pid, began) };
}

function isAsked({ files, isWithheld }: SearchRequest, path: string): boolean {
  return files.test(path) && !isWithheld(path);
}

function drop(hits: Hit[], path: string): void {
  while (hits.at(-1)?.path === path) hits.pop();
}

function argumentsFor(search: LineSearch): string[] {
  return [
    '--null',
    '--with-filename',
    '--no-heading',
    '--line-number',
    '--column',
    '--byte-offset',
    '--only-matching',
    '--crlf',
    // ripgrep prints a file only when it has finished it, so matches per file are limited to bound ripgrep's memory.
    `--max-count=${search.maxHits + 1}`,
    search.isRegex ? '--no-fixed-strings' : '--fixed-strings',
    search.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ...search.files.ripgrepArguments,
    ...(search.input === undefined ? [...protectedArguments(), ...ignoreArguments(search.root)] : []),
  ];
}

function hitsOf({ hits }: Collector, { maxHits }: LineSearch): Hits {
  const sorted = hits.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  return { hits: sorted.slice(0, maxHits), hasMore: sorted.length > maxHits };
}
