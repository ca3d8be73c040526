// Work on whole directory trees by descriptor: listing, copying and removing never follow a link, even one swapped in meanwhile.
import { type Dirent, readdirSync } from 'node:fs';
import { runNow } from '../../platform/steps.ts';
import type { Directory } from '../directory.ts';
import { type CopyReport, copyTreeInSteps } from './copy-tree.ts';
import { removeTreeInSteps } from './remove-tree.ts';

/** The entries of an open directory, in a stable order. */
export function entriesOf(directory: Directory): Dirent[] {
  return readdirSync(directory.at('.'), { withFileTypes: true }).sort((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
}

/** Removes the entry `name` without yielding: for trees known to be small. */
export function removeTree(parent: Directory, name: string): void {
  runNow(removeTreeInSteps(parent, name));
}

/** Copies the entry `name` to `toParent/toName` without yielding: for trees known to be small. */
export function copyTree(parent: Directory, name: string, toParent: Directory, toName: string): CopyReport {
  return runNow(copyTreeInSteps(parent, name, toParent, toName));
}
