// A tree as git sees it: files with their bytes and whether they are executable, and links; no folders.
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';

export type Tree = Map<string, string>;

export function readTree(root: string): Tree {
  const tree: Tree = new Map();
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    const file = join(entry.parentPath, entry.name);
    if (entry.isSymbolicLink()) tree.set(relative(root, file), `link ${readlinkSync(file)}`);
    else if (entry.isFile()) tree.set(relative(root, file), describe(file));
  }
  return new Map([...tree].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function describe(file: string): string {
  const mode = (statSync(file).mode & 0o100) === 0 ? 'file' : 'executable';
  return `${mode} ${readFileSync(file).toString('latin1')}`;
}
