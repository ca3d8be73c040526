// The whole output of a command, stored because the result could not hold it.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import type { SessionEvent } from '@codelab/protocol';
import { cleanOutput } from '@codelab/runtime';

const halfBytes = 512 * 1024;

/** The path of the output file in the outcome of an ended call. */
export function recordedOutputFile({ body }: SessionEvent): string | undefined {
  if (body.type !== 'call.finished') return undefined;
  const { outcome } = body;
  const fields = outcome.status === 'completed' ? outcome.data : outcome.error.details;
  return typeof fields?.output_file === 'string' ? fields.output_file : undefined;
}

/** Reads the beginning and the end of the file; undefined when it is no longer stored. */
export function readOutputFile(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return undefined;
    if (stat.size <= 2 * halfBytes) return readPart(file, 0, stat.size);
    const leftOut = stat.size - 2 * halfBytes;
    const end = readPart(file, stat.size - halfBytes, halfBytes);
    return `${readPart(file, 0, halfBytes)}\n[… ${leftOut} bytes left out …]\n${end}`;
  } finally {
    closeSync(file);
  }
}

function readPart(file: number, from: number, length: number): string {
  const bytes = Buffer.alloc(length);
  return cleanOutput(bytes.subarray(0, readSync(file, bytes, 0, length, from)).toString('utf8'));
}
