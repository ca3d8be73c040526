// Which implementation is in use for each thing that not every system supports, and its guarantee: for `codelab doctor`.
import { closeSync, lstatSync, openSync, readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { hasDescriptorPaths, hasGroups, hasProc, watchFolder } from './system.ts';

/** `isFull`: guarantees as much as the best implementation. */
export type SystemWay = { name: string; way: string; isFull: boolean; promise: string };

export function systemWays({ workspace, home }: { workspace: string; home: string }): SystemWay[] {
  return [pathsWay(workspace), processesWay(), identityWay(), watchingWay(home), namesWay(workspace)];
}

function pathsWay(folder: string): SystemWay {
  const name = 'paths';
  return isByDescriptor(folder)
    ? {
        name,
        way: '/proc/self/fd',
        isFull: true,
        promise: 'walked by descriptor: no link swapped in is followed',
      }
    : {
        name,
        way: 'opened, then verified',
        isFull: false,
        promise:
          'a program that swaps folders for links at the right moment may get around it, so changes are asked while one runs',
      };
}

function isByDescriptor(folder: string): boolean {
  try {
    const fd = openSync(folder, 'r');
    try {
      return hasDescriptorPaths(fd);
    } finally {
      closeSync(fd);
    }
  } catch {
    return false;
  }
}

function processesWay(): SystemWay {
  const name = 'processes';
  if (hasProc())
    return {
      name,
      way: '/proc',
      isFull: true,
      promise: 'all that a command started is found, limited and ended',
    };
  const lost = 'what leaves it is not found, and memory and processor time are not limited';
  return hasGroups()
    ? { name, way: 'process groups', isFull: false, promise: `a command ends with its group; ${lost}` }
    : { name, way: 'taskkill', isFull: false, promise: `a command ends with its children; ${lost}` };
}

function identityWay(): SystemWay {
  const name = 'process identity';
  return hasProc()
    ? {
        name,
        way: 'start time and boot',
        isFull: true,
        promise: 'a process that was killed is known at once',
      }
    : {
        name,
        way: 'pid and heartbeat',
        isFull: false,
        promise: 'calls of a process that was killed are taken over after 30 s',
      };
}

function watchingWay(home: string): SystemWay {
  const name = 'file watching';
  try {
    watchFolder(home, () => undefined).close();
    return {
      name,
      way: 'told by the system',
      isFull: true,
      promise: 'tells at once what other processes record',
    };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return {
      name,
      way: `polling: ${why}`,
      isFull: false,
      promise:
        'the log is looked at four times a second; where watchers ran out, close programs that watch files, or raise fs.inotify.max_user_instances',
    };
  }
}

function namesWay(workspace: string): SystemWay {
  const name = 'file names';
  const traceWay = { name, isFull: true };
  switch (foldsCase(workspace)) {
    case true:
      return {
        ...traceWay,
        way: 'without case',
        promise: '`a` and `A` are one file; rules that ask or deny fit both',
      };
    case false:
      return {
        ...traceWay,
        way: 'with case',
        promise: '`a` and `A` are two files; rules that ask or deny fit both',
      };
    default:
      return { ...traceWay, way: 'not known', promise: 'rules that ask or deny fit names in any case' };
  }
}

/** Whether names in a folder are case-insensitive; undefined when no entry shows it. Writes nothing. */
function foldsCase(folder: string): boolean | undefined {
  const places = [...namesIn(folder), folder];
  for (const path of places) {
    const other = join(dirname(path), swapCase(basename(path)));
    if (other === path) continue;
    const [one, two] = [path, other].map((at) => lstatSync(at, { bigint: true, throwIfNoEntry: false }));
    if (one !== undefined) return two !== undefined && one.dev === two.dev && one.ino === two.ino;
  }
  return undefined;
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .slice(0, 100)
      .map((name) => join(folder, name));
  } catch {
    return [];
  }
}

function swapCase(text: string): string {
  return text === text.toLowerCase() ? text.toUpperCase() : text.toLowerCase();
}
