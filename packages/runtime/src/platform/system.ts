// What this system has of the things that not every system has. Each is found out by trying it, never by the name of the system, and
// each has a fallback that promises less or asks more. `CODELAB_WITHOUT=proc,watch` switches some of them off, for tests.
import { type FSWatcher, fstatSync, lstatSync, readFileSync, readlinkSync, watch } from 'node:fs';

/**
 * `proc`: /proc tells of processes and open files. `trace`: the kernel tells which files a sandboxed command writes. `watch`: changes of files
 * are told. `groups`: processes have groups.
 */
export type SystemPart = 'proc' | 'sandbox' | 'bubblewrap' | 'trace' | 'watch' | 'groups';

/** Whether it is not to be used. A part that is missing leads to stricter ways only, so whoever starts CodeLab may say so. */
export function isSwitchedOff(part: SystemPart): boolean {
  return process.env.CODELAB_WITHOUT?.split(/[\s,]+/).includes(part) === true;
}

/** Whether processes can be looked at by their numbers, as proc_pid_stat(5) has it. */
export function hasProc(): boolean {
  proc ??= beginsWith('/proc/self/stat', `${process.pid} (`);
  return proc && !isSwitchedOff('proc');
}

let proc: boolean | undefined;

/** A file of /proc; undefined where there is none. */
export function readProc(path: string, encoding: 'latin1' | 'utf8' = 'latin1'): string | undefined {
  if (isSwitchedOff('proc')) return undefined;
  try {
    return readFileSync(`/proc/${path}`, encoding);
  } catch {
    return undefined;
  }
}

/** Whether `/proc/self/fd/N/name` is a name in the open directory N, whatever becomes of its path. `fd` is any open directory. */
export function hasDescriptorPaths(fd: number): boolean {
  descriptors ??= leadsTo(fd);
  return descriptors && !isSwitchedOff('proc');
}

let descriptors: boolean | undefined;

function leadsTo(fd: number): boolean {
  try {
    const opened = fstatSync(fd, { bigint: true });
    const named = lstatSync(`/proc/self/fd/${fd}/.`, { bigint: true });
    return opened.dev === named.dev && opened.ino === named.ino;
  } catch {
    return false;
  }
}

/** Whether a signal can be sent to a process together with whatever it started. Systems with user ids have such groups. */
export function hasGroups(): boolean {
  return !isSwitchedOff('groups') && process.getuid !== undefined;
}

/** Tells of changes in a folder. Throws where nothing tells, or no watcher is left: then the folder has to be looked at again and again. */
export function watchFolder(folder: string, onChange: () => void): FSWatcher {
  if (isSwitchedOff('watch')) throw new Error('CODELAB_WITHOUT switches it off');
  return watch(folder, onChange);
}

/** The namespace that this process counts pids in; undefined where there are no such things. */
export function pidNamespace(): string | undefined {
  if (isSwitchedOff('proc')) return undefined;
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return undefined;
  }
}

function beginsWith(path: string, beginning: string): boolean {
  try {
    return readFileSync(path, 'latin1').startsWith(beginning);
  } catch {
    return false;
  }
}
