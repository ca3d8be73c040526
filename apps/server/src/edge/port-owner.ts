// The process that listens on a port of this machine, as far as the system shows it. Loaded only when a port is taken.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { basename } from 'node:path';

export type PortOwner = { pid: number; program: string };

const listening = '0A';
const timeout = 2000;

/** Undefined where the system does not say, for example for a process of another user. */
export function portOwner(port: number): PortOwner | undefined {
  if (process.platform === 'linux') return linuxOwner(port);
  return process.platform === 'win32' ? windowsOwner(port) : unixOwner(port);
}

function linuxOwner(port: number): PortOwner | undefined {
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => socketsIn(readQuietly(table), port));
  if (sockets.length === 0) return undefined;
  const links = new Set(sockets.map((inode) => `socket:[${inode}]`));
  const pid = listQuietly('/proc').find(
    (name) =>
      /^\d+$/.test(name) &&
      listQuietly(`/proc/${name}/fd`).some((fd) => links.has(linkQuietly(`/proc/${name}/fd/${fd}`))),
  );
  if (pid === undefined) return undefined;
  return { pid: Number(pid), program: programOf(pid) };
}

// The kernel's own name of a process is that of its main thread, which Node calls MainThread.
function programOf(pid: string): string {
  const [program = '', script = ''] = readQuietly(`/proc/${pid}/cmdline`).split('\0');
  const name = basename(program);
  const isScript = /^node(js)?$/.test(name) && script !== '' && !script.startsWith('-');
  return (isScript ? `${name} ${basename(script)}` : name) || 'a program';
}

/** The inodes of the sockets that listen on the port: lines of `sl local_address rem_address st … inode`. */
function socketsIn(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  return table.split('\n').flatMap((line) => {
    const cells = line.trim().split(/\s+/);
    const [, local = '', , state] = cells;
    const inode = cells[9];
    return local.endsWith(suffix) && state === listening && inode !== undefined ? [inode] : [];
  });
}

function unixOwner(port: number): PortOwner | undefined {
  const found = outputOf('lsof', ['-nP', `-iTCP:${port}`, '-sTCP:LISTEN', '-Fpc']);
  const pid = /^p(\d+)$/m.exec(found)?.[1];
  return pid === undefined
    ? undefined
    : { pid: Number(pid), program: /^c(.+)$/m.exec(found)?.[1] ?? 'a program' };
}

function windowsOwner(port: number): PortOwner | undefined {
  const line = outputOf('netstat.exe', ['-ano', '-p', 'TCP'])
    .split('\n')
    .find((line) => line.includes('LISTENING') && line.trim().split(/\s+/)[1]?.endsWith(`:${port}`));
  const pid = line?.trim().split(/\s+/).at(-1);
  if (pid === undefined) return undefined;
  const match = /^"([^"]+)"/.exec(
    outputOf('tasklist.exe', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH']).trim(),
  );
  return { pid: Number(pid), program: match?.[1] ?? 'a program' };
}

function outputOf(program: string, args: readonly string[]): string {
  return spawnSync(program, args, { encoding: 'utf8', timeout, windowsHide: true }).stdout ?? '';
}

function readQuietly(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function listQuietly(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function linkQuietly(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}
