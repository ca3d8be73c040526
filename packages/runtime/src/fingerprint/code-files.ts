// One print over all files of the workspace that a program might run, for commands whose executed files are not all known. The approval
// of such a command is bound to this print, so that the command can only run code that was there when the human decided.
import { lstatSync } from 'node:fs';
import { digestJson } from '../platform/digest.ts';
import { isProtectedPath } from '../policy/protected-names.ts';
import { isBuildFolder } from '../snapshot/tree-entry.ts';
import { byteName, type NamedEntry, readNamedEntries } from '../workspace/byte-names.ts';
import { type Directory, identity } from '../workspace/directory.ts';
import type { Workspace } from '../workspace/workspace.ts';

const maxEntries = 20_000;

/** Names of code files. A file without an extension may be code, and a file with a protected name decides what is run. */
export const codeName =
  /\.(?:sh|bash|zsh|fish|csh|ps1|py|pyz|[cm]?[jt]sx?|rb|pl|pm|php|lua|awk|sed|tcl|exp|mk|jar|so|go|rs|exs?|jl|r|vim|el|gradle|kts|groovy|cmake)$/i;

/** Build folders are skipped: what a command starts from there is printed by its name, and servers write there all the time. */
export function printCodeFiles({ root }: Workspace): string {
  const prints: string[] = [];
  let remaining = maxEntries;
  const visit = (opened: Directory, path: string): void => {
    using directory = opened;
    const entries = readNamedEntries(directory).toSorted(byName);
    for (const { name, isFolder } of entries) {
      if (--remaining < 0) return;
      const entryPath = `${path}/${name}`;
      if (!isFolder) {
        const print = printOf(directory, name);
        if (print !== undefined) prints.push(`${entryPath} ${print}`);
      } else if (name !== '.git' && !isBuildFolder(name)) enter(directory, name, entryPath);
    }
  };
  const enter = (directory: Directory, name: string, path: string): void => {
    try {
      visit(directory.openBelow(byteName(name)), path);
    } catch {
      // The folder is CodeLab's own, was deleted, or is not readable, and so not readable for the command either.
    }
  };
  visit(root.again(), '');
  return digestJson(prints);
}

function byName(a: NamedEntry, b: NamedEntry): number {
  return a.name < b.name ? -1 : 1;
}

function printOf(directory: Directory, name: string): string | undefined {
  const stat = lstatSync(directory.at(byteName(name)), { bigint: true, throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  const isNamed = codeName.test(name) || !name.includes('.') || isProtectedPath(name);
  const mayRun = isNamed || (stat.mode & 0o111n) !== 0n;
  return mayRun ? identity(stat) : undefined;
}
