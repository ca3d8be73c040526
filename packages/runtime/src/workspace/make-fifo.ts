// Node cannot make a FIFO; the system's own program can, where there is one.
import { spawnSync } from 'node:child_process';
import { existsSync, renameSync } from 'node:fs';
import type { Directory, Name } from './directory.ts';
import { newTemp } from './new-temp.ts';

const programs = ['/usr/bin/mkfifo', '/bin/mkfifo'];

export function canMakeFifos(): boolean {
  return programs.some((path) => existsSync(path));
}

/** False when it could not be made. */
export function makeFifo(parent: Directory, name: Name): boolean {
  const program = programs.find((path) => existsSync(path));
  if (program === undefined) return false;
  // A program takes no name that is not UTF-8.
  const made = typeof name === 'string' ? name : newTemp();
  // Started in the very folder that is open here.
  const options = { cwd: parent.at('.'), env: {}, stdio: 'ignore' as const };
  if (spawnSync(program, ['-m', '600', '--', made], options).status !== 0) return false;
  if (made !== name) renameSync(parent.at(made), parent.at(name));
  return true;
}
