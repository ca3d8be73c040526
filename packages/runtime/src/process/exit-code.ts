// The end of a process as one number, as in shells: its exit code, or 128 plus the number of the signal that ended it.
import { constants } from 'node:os';
import type { Exit } from './spawn-child.ts';

export function exitCode({ code, signal }: Exit): number {
  return code ?? (signal === null ? 1 : 128 + constants.signals[signal]);
}

/** The signal that ended the process; a sandbox reports it only through the exit code. */
export function endingSignal({ code, signal }: Exit): NodeJS.Signals | null {
  if (signal !== null || code === null) return signal;
  return fatal.find((name) => code === 128 + constants.signals[name]) ?? null;
}

const fatal = ['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const;
