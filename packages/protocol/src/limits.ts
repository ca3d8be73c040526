// The limits and defaults of each dialect. One profile per dialect; all sizes in bytes, all times in milliseconds.
import * as z from 'zod/mini';
import { lazily } from './input.ts';

export const DialectName = lazily(() => z.enum(['codelab', 'agent', 'plugin', 'coder', 'kode']));
export type DialectName = z.infer<ReturnType<typeof DialectName>>;

/** The longest delay of setTimeout; a longer one fires immediately. */
export const longestTimerMs = 2 ** 31 - 1;

/** The largest line or character of the language server protocol (`uinteger`). */
export const largestPosition = 2 ** 31 - 1;

export type Limits = {
  readBytes: number;
  /** Ceiling for a file that is read in pages. */
  pagedFileBytes: number;
  writeBytes: number;
  pathChars: number;
  listEntries: number;
  /** Calls that run concurrently; the rest wait. */
  parallel: number;
  queued: number;
  approvalMs: number;
  /** How long an approval waits in an attended session; without it, until it is decided. */
  attendedApprovalMs?: number;
  approvalWarnMs: number;
  runMs: number;
  readCacheMs: number;
  diffBytes: number;
  /** How many files a patch may change. */
  patchFiles: number;
  /** The largest file that a patch may change: the file is read whole, but only the patch travels. */
  patchedFileBytes: number;
  argsBytes: number;
  argsDepth: number;
  /** Output of a command that the answer carries, half from its beginning and half from its end. */
  outputBytes: number;
  /** Output of a command that is stored in a file; a command that prints more is stopped. */
  outputFileBytes: number;
  /** The time between asking a process to end and killing it. */
  killGraceMs: number;
  /** The most processes of an unasked command, with everything it starts. */
  processes: number;
  memoryBytes: number;
  cpuMs: number;
  /** The most bytes of a session in the /tmp of its commands. */
  tmpBytes: number;
  searchResults: number;
};

const MiB = 1024 * 1024;
const minute = 60_000;

const base: Limits = {
  readBytes: MiB,
  pagedFileBytes: 100 * MiB,
  writeBytes: MiB,
  pathChars: 255,
  listEntries: 1000,
  parallel: 3,
  queued: 100,
  approvalMs: 5 * minute,
  approvalWarnMs: minute,
  runMs: 5 * minute,
  readCacheMs: 5 * minute,
  diffBytes: 5 * MiB,
  patchFiles: 10_000,
  patchedFileBytes: 16 * MiB,
  argsBytes: 10 * MiB,
  argsDepth: 64,
  outputBytes: MiB,
  outputFileBytes: 100 * MiB,
  killGraceMs: 10_000,
  processes: 1000,
  memoryBytes: 8 * 1024 * MiB,
  cpuMs: 60 * minute,
  tmpBytes: 4 * 1024 * MiB,
  searchResults: 1000,
};

export const limitProfiles: Record<DialectName, Limits> = {
  codelab: { ...base, patchFiles: 50 },
  agent: { ...base, readBytes: 10 * MiB, writeBytes: 5 * MiB, pathChars: 4096 },
  plugin: {
    ...base,
    readBytes: 100 * MiB,
    writeBytes: 100 * MiB,
    pathChars: 4096,
    argsBytes: 128 * MiB,
    outputFileBytes: 10 * MiB,
  },
  coder: { ...base, readBytes: 100 * MiB, writeBytes: 10 * MiB, pathChars: 4096, argsBytes: 16 * MiB },
  kode: {
    ...base,
    readBytes: MiB / 4,
    writeBytes: 10 * MiB,
    pathChars: 4096,
    argsBytes: 16 * MiB,
    runMs: 10 * minute,
  },
};
