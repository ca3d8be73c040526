// Is there a bubblewrap that works? Asked once, by really running it: many containers have the program and forbid what it needs.
import { failureOf, systemProgram } from './system-program.ts';

/** `canSize`: it can say how large a folder in memory may become. */
export type Bubblewrap = { path: string; namespaces: readonly string[]; canSize: boolean } | { why: string };

const basic = [
  '--die-with-parent',
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--cap-drop',
  'ALL',
];

// Since 0.8: no namespaces inside the sandbox, and with them most of what a kernel can be attacked by.
const best = [...basic, '--disable-userns'];
const sized = ['--size', '65536', '--tmpfs', '/tmp'];

let known: Bubblewrap | undefined;

export function findBubblewrap(): Bubblewrap {
  known ??= look();
  return known;
}

function look(): Bubblewrap {
  const program = systemProgram('bwrap');
  if (program === undefined) return { why: 'bubblewrap is not installed.' };
  if ('why' in program) return program;
  const { path } = program;
  const first = tryOut(path, best, sized);
  if (first === undefined) return { path, namespaces: best, canSize: true };
  const isOld = first.includes('disable-userns') || first.includes('size');
  const second = isOld ? tryOut(path, basic, []) : first;
  if (second === undefined) return { path, namespaces: basic, canSize: false };
  return { why: `bubblewrap does not work on this machine (${second}).` };
}

function tryOut(path: string, namespaces: readonly string[], more: readonly string[]): string | undefined {
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--tmpfs', '/tmp', ...more];
  return failureOf([path, ...namespaces, '--unshare-net', ...mounts, '--', path, '--version']);
}
