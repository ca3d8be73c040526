// One connection, from opening to its end, whatever it is made of.
import type { ApiError } from '../api-error.ts';
import type { Frame } from './frames.ts';

/** A message, and its place in the log when it has one. */
export type Told = { frame: Frame; seq: number | undefined };

export type LineEnd =
  /** The session was deleted, or the like. */
  | { kind: 'over'; why: string }
  /** Coming back would not help. */
  | { kind: 'refused'; error: ApiError }
  | { kind: 'lost'; why: string; afterMs?: number | undefined };

export type LineEvents = {
  onOpen(send: ((text: string) => void) | undefined): void;
  onTold(told: Told): void;
  /** Something came that can't be read; the line goes on. */
  onUnreadable(error: ApiError): void;
};

/** No message is longer; what claims to be is not a gateway. */
export const maxFrame = { bytes: 64 * 1024 * 1024, depth: 200 };

/** Silent for longer than this many beats, a line is taken for dead. */
export const beatsOfSilence = 2.5;

export const lost = (why: string): LineEnd => ({ kind: 'lost', why });
