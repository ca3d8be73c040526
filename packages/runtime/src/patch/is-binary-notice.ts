/** How a diff tells of bytes that are no text: with the bytes, or by a notice without them. */
import type { ToolError } from '@codelab/protocol';
import { patchFailure } from './patch-failure.ts';

export function isBinaryPatch(line: string): boolean {
  return line.startsWith('GIT binary patch') && line.trimEnd() === 'GIT binary patch';
}

export function isBinaryNotice(line: string): boolean {
  return /^(?:Binary files|Files) /.test(line) && line.trimEnd().endsWith(' differ');
}

export function withoutBytes(place: { path?: string; patchLine: number }): ToolError {
  return patchFailure(
    'The patch only says that a binary file differs; the bytes are not in it. Make it with "git diff --binary", or write the file by a command.',
    place,
  );
}
