// The sandbox of this machine: bubblewrap where it works, else util-linux, which nearly every Linux has; Seatbelt on macOS.
import { isSwitchedOff } from '../../platform/system.ts';
import { type Bubblewrap, findBubblewrap } from './bubblewrap.ts';
import { findSeatbelt, type Seatbelt } from './seatbelt.ts';
import { findUtilLinux, type UtilLinux } from './util-linux.ts';

export type FoundSandbox =
  | { sandbox: 'bubblewrap'; by: Extract<Bubblewrap, { path: string }> }
  | { sandbox: 'util-linux'; by: Extract<UtilLinux, { unshare: string }> }
  | { sandbox: 'seatbelt'; by: Extract<Seatbelt, { path: string }> }
  | { sandbox: 'none'; why: string };

type Backend = Exclude<FoundSandbox['sandbox'], 'none'>;

let forced: Backend | 'none' | undefined;

export function findSandbox(): FoundSandbox {
  if (forced === 'none') return { sandbox: 'none', why: 'The sandbox is switched off here.' };
  if (isSwitchedOff('sandbox')) return { sandbox: 'none', why: 'CODELAB_WITHOUT switches the sandbox off.' };
  const first: Bubblewrap = forced === 'util-linux' ? { why: '' } : findBubblewrap();
  if ('path' in first) return { sandbox: 'bubblewrap', by: first };
  const second: UtilLinux = forced === 'bubblewrap' ? { why: '' } : findUtilLinux();
  if ('unshare' in second) return { sandbox: 'util-linux', by: second };
  const third: Seatbelt = forced === undefined ? findSeatbelt() : { why: '' };
  if ('path' in third) return { sandbox: 'seatbelt', by: third };
  return { sandbox: 'none', why: `${first.why} ${second.why}`.trim() };
}

/** For tests of one backend; no tool, workspace or variable can reach this. */
export function forceSandbox(backend: Backend | 'none' | undefined): void {
  forced = backend;
}
