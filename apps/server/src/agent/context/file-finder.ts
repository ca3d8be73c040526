// Finds files of the workspace by a few letters. The list of all files is made once for the questions of a moment: typing asks often.
import { type Host, readUnrecorded } from '@codelab/runtime';

const freshMs = 3000;
const maxPaths = 100_000;

export type FileFinder = { find(query: string, limit: number): Promise<string[]> };

export function createFileFinder(host: Host): FileFinder {
  let cached: { at: number; paths: Promise<string[]> } | undefined;

  function list(): Promise<string[]> {
    const now = performance.now();
    if (cached !== undefined && now - cached.at < freshMs) return cached.paths;
    const paths = listAll(host);
    const listing = { at: now, paths };
    cached = listing;
    paths.then(
      () => {
        // Listing a large tree takes time, so its age counts from the end.
        listing.at = performance.now();
      },
      () => {
        if (cached === listing) cached = undefined;
      },
    );
    return paths;
  }

  return {
    async find(query, limit) {
      const needle = query.toLowerCase().replaceAll(/\s+/g, '');
      const matches = (await list()).flatMap((path) => {
        const score = matchPath(needle, path);
        return score === undefined ? [] : [{ path, score }];
      });
      matches.sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1));
      return matches.slice(0, limit).map(({ path }) => path);
    },
  };
}

async function listAll(host: Host): Promise<string[]> {
  const { data } = await readUnrecorded(host, {
    tool: 'find_files',
    args: { pattern: '**' },
    limits: { searchResults: maxPaths },
  });
  return data.files as string[];
}

// Scores how well a path matches typed letters: in order, better together, at the beginnings of words, and in the file name.

/** Undefined when the path does not match; a lower number is a better match. */
export function matchPath(query: string, path: string): number | undefined {
  if (query === '') return path.length;
  const lower = path.toLowerCase();
  const nameAt = lower.lastIndexOf('/') + 1;
  const nameMatch = lower.indexOf(query, nameAt);
  if (nameMatch >= 0) return path.length + (nameMatch === nameAt ? 0 : isStart(path, nameMatch) ? 100 : 200);
  const pathMatch = lower.indexOf(query);
  if (pathMatch >= 0) return path.length + (isStart(path, pathMatch) ? 300 : 400);
  const gaps = gapsFrom(query, path, lower, 0);
  const inName = gapsFrom(query, path, lower, nameAt);
  const fewest = Math.min(gaps ?? Number.POSITIVE_INFINITY, (inName ?? Number.POSITIVE_INFINITY) - 500);
  return Number.isFinite(fewest) ? path.length + 1500 + fewest : undefined;
}

/** The gaps between the letters; undefined when they do not all occur in this order. */
function gapsFrom(query: string, path: string, lower: string, from: number): number | undefined {
  let at = from;
  let gaps = 0;
  for (const letter of query) {
    const index = lower.indexOf(letter, at);
    if (index < 0) return undefined;
    if (index > at && !isStart(path, index)) gaps += Math.min(50, index - at);
    at = index + letter.length;
  }
  return gaps * 10;
}

/** Whether a word begins there: after a separator, or at a capital. */
function isStart(path: string, at: number): boolean {
  const before = path[at - 1];
  if (before === undefined || /[/\\._\- ]/.test(before)) return true;
  return /[A-Z]/.test(path[at] ?? '') && !/[A-Z]/.test(before);
}
