// Finds files of the workspace by a few letters. The list of all files is made once for the questions of a moment: typing asks often.
import { type Host, readUnrecorded } from '@codelab/runtime';
import { matchPath } from './match-path.ts';

const freshMs = 3000;
const maxPaths = 100_000;

export type FileFinder = { find(query: string, limit: number): Promise<string[]> };

export function createFileFinder(host: Host): FileFinder {
  let listed: { at: number; paths: Promise<string[]> } | undefined;

  function list(): Promise<string[]> {
    const now = performance.now();
    if (listed !== undefined && now - listed.at < freshMs) return listed.paths;
    const paths = listAll(host);
    const made = { at: now, paths };
    listed = made;
    paths.then(
      () => {
        // A large tree takes its time: it counts from when it was done.
        made.at = performance.now();
      },
      () => {
        if (listed === made) listed = undefined;
      },
    );
    return paths;
  }

  return {
    async find(query, limit) {
      const wanted = query.toLowerCase().replaceAll(/\s+/g, '');
      const found = (await list()).flatMap((path) => {
        const score = matchPath(wanted, path);
        return score === undefined ? [] : [{ path, score }];
      });
      found.sort((a, b) => a.score - b.score || (a.path < b.path ? -1 : 1));
      return found.slice(0, limit).map(({ path }) => path);
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
