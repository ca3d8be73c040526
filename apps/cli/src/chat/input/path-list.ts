// The paths for completion: read when the first one is wanted, and again after the agent has worked.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { findRipgrep } from '@codelab/runtime';

export type PathList = {
  readonly known: readonly string[] | undefined;
  want(root: string): void;
  forget(): void;
};

export function createPathList(onRead: () => void): PathList {
  let read: { paths?: string[] } | undefined;
  return {
    get known() {
      return read?.paths;
    },
    want(root) {
      if (read !== undefined) return;
      const reading: { paths?: string[] } = {};
      read = reading;
      void listPaths(root)
        .catch(() => [])
        .then((paths) => {
          reading.paths = paths;
          onRead();
        });
    },
    forget() {
      read = undefined;
    },
  };
}

/** The files and folders that ripgrep would search, sorted, up to a limit. */
const maxFiles = 20_000;
const maxMs = 3000;

async function listPaths(root: string): Promise<string[]> {
  const program = await findRipgrep(root);
  if (program === undefined) return [];
  const files = await filesBy(program, root);
  const folders = new Set<string>();
  for (const file of files)
    for (let at = file.indexOf('/'); at >= 0; at = file.indexOf('/', at + 1))
      folders.add(file.slice(0, at + 1));
  return [...folders, ...files].toSorted();
}

async function filesBy(program: string, root: string): Promise<string[]> {
  const child = spawn(program, ['--no-config', '--files', '--null'], {
    cwd: root,
    // ripgrep needs no API key from the environment.
    env: { HOME: homedir() },
    stdio: ['ignore', 'pipe', 'ignore'],
    timeout: maxMs,
  });
  child.on('error', () => undefined);
  const files: string[] = [];
  let rest = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    const names = (rest + String(chunk)).split('\0');
    rest = names.pop() ?? '';
    files.push(...names);
    if (files.length >= maxFiles) break;
  }
  child.kill();
  return files.slice(0, maxFiles);
}
