// What holds commands on this machine: bubblewrap where it works, else util-linux, which nearly every Linux has; on macOS Seatbelt.
import { type Bubblewrap, findBubblewrap } from './find-bubblewrap.ts';
import { findUtilLinux, type UtilLinux } from './find-util-linux.ts';
import { findSeatbelt, type Seatbelt } from './seatbelt.ts';

export type FoundSandbox =
  | { sandbox: 'bubblewrap'; by: Extract<Bubblewrap, { path: string }> }
  | { sandbox: 'util-linux'; by: Extract<UtilLinux, { unshare: string }> }
  | { sandbox: 'seatbelt'; by: Extract<Seatbelt, { path: string }> }
  | { sandbox: 'none'; why: string };

type Backend = Exclude<FoundSandbox['sandbox'], 'none'>;

let forced: Backend | 'none' | undefined;

export function findSandbox(): FoundSandbox {
  if (forced === 'none') return { sandbox: 'none', why: 'No sandbox is to be used here.' };
  if (process.platform === 'darwin') return onMac();
  if (process.platform !== 'linux')
    return { sandbox: 'none', why: 'Commands are held in a sandbox on Linux and macOS only.' };
  const first: Bubblewrap = forced === 'util-linux' ? { why: '' } : findBubblewrap();
  if ('path' in first) return { sandbox: 'bubblewrap', by: first };
  const second: UtilLinux = forced === 'bubblewrap' ? { why: '' } : findUtilLinux();
  if ('unshare' in second) return { sandbox: 'util-linux', by: second };
  return { sandbox: 'none', why: `${first.why} ${second.why}`.trim() };
}

function onMac(): FoundSandbox {
  const found = findSeatbelt();
  return 'path' in found ? { sandbox: 'seatbelt', by: found } : { sandbox: 'none', why: found.why };
}

/** For tests of each way by itself: nothing a tool, a workspace or a variable says leads here. */
export function forceSandbox(backend: Backend | 'none' | undefined): void {
  forced = backend;
}
