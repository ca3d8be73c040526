/** Reads what follows `GIT binary patch`: the bytes to get the new file by, and those for the way back. */
import type { BinaryPatch } from './file-patch.ts';
import { patchFailure } from './patch-failure.ts';

type Place = { path: string; patchLine: number };

/** `at` is the line `GIT binary patch`; `index` is what the header's line of that name says. */
export function parseBinary(
  lines: readonly string[],
  at: number,
  index: string,
  { path }: Place,
): { binary: BinaryPatch; next: number } {
  const hashes = FULL_INDEX.exec(index);
  if (hashes === null) throw patchFailure(SHORT_INDEX, { path, patchLine: at + 1 });
  const forward = parsePart(lines, at + 1, path);
  if (forward === null)
    throw patchFailure('After "GIT binary patch" a line such as "literal 12" or "delta 12" must follow.', {
      path,
      patchLine: at + 2,
    });
  // Only needed for the way back, but when it is damaged the rest cannot be trusted either.
  const next = parsePart(lines, forward.next, path)?.next ?? forward.next;
  const [, oldHash = '', newHash = ''] = hashes;
  const { method, size, deflated } = forward;
  return {
    binary: { oldHash, newHash, method, size, deflated, lines: lines.slice(at, next).map(withoutReturn) },
    next,
  };
}

const FULL_INDEX = /^([\da-f]{40}|[\da-f]{64})\.\.([\da-f]{40}|[\da-f]{64})(?: \d+)?$/;
const SHORT_INDEX =
  'Binary patches need the full hashes of both files in the line "index". Make the patch with "git diff --binary", or write the file by a command.';

type Part = Pick<BinaryPatch, 'method' | 'size' | 'deflated'> & { next: number };

function parsePart(lines: readonly string[], at: number, path: string): Part | null {
  const head = /^(literal|delta) (\d{1,10})\r?$/.exec(lines[at] ?? '');
  if (head === null) return null;
  const pieces: Buffer[] = [];
  let next = at + 1;
  for (; next < lines.length; next++) {
    const line = withoutReturn(lines[next] ?? '');
    if (line === '') break;
    const bytes = decodeLine(line);
    if (bytes === null)
      throw patchFailure('This line of the binary patch is damaged. Make the patch again.', {
        path,
        patchLine: next + 1,
      });
    pieces.push(bytes);
  }
  if (next === lines.length)
    throw patchFailure('The binary patch is cut off: an empty line must end it. Send the whole patch.', {
      path,
      patchLine: next,
    });
  const method = head[1] === 'delta' ? 'delta' : 'literal';
  return { method, size: Number(head[2]), deflated: Buffer.concat(pieces), next: next + 1 };
}

function withoutReturn(line: string): string {
  return line.endsWith('\r') ? line.slice(0, -1) : line;
}

/** A letter for the number of bytes (A-Z: 1 to 26, a-z: 27 to 52), then five characters for every four of them. */
function decodeLine(line: string): Buffer | null {
  const letter = line.charCodeAt(0);
  const isSmall = letter >= 0x61 && letter <= 0x7a;
  if (!isSmall && !(letter >= 0x41 && letter <= 0x5a)) return null;
  const length = isSmall ? letter - 0x60 + 26 : letter - 0x40;
  const groups = (line.length - 1) / 5;
  if (groups !== Math.ceil(length / 4)) return null;
  const bytes = Buffer.alloc(groups * 4);
  for (let group = 0; group < groups; group++) {
    let value = 0;
    for (const character of line.slice(1 + group * 5, 6 + group * 5)) {
      const digit = DIGITS.indexOf(character);
      if (digit === -1) return null;
      value = value * 85 + digit;
    }
    if (value > 0xffff_ffff) return null;
    bytes.writeUInt32BE(value, group * 4);
  }
  return bytes.subarray(0, length);
}

const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~';
