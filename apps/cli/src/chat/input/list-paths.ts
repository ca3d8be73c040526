// Files and folders of the workspace for completion: what ripgrep would search, in order, up to a bound.
import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { findRipgrep } from '@codelab/runtime';

const maxFiles = 20_000;
const maxMs = 3000;

export async function listPaths(root: string): Promise<string[]> {
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
    // It needs none of the keys in ours.
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
