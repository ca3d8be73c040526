// The paths git tracks, read from the index file itself: running git would let the repository's own settings run programs.
// Format: https://git-scm.com/docs/index-format (versions 2 to 4, SHA-1 repositories).
import { openRegular, readWhole } from '../read-bytes.ts';
import type { Workspace } from '../workspace.ts';

const maxIndexBytes = 64n * 1024n * 1024n;
const fixedBytes = 62;

/** One tracked file, with the state it had on the disk when git last compared it. */
export type IndexEntry = {
  /** Git's type and permission: 0o100644, 0o100755, 0o120000 or 0o160000. */
  mode: number;
  size: number;
  /** Cut to 32 bits. */
  ino: number;
  mtimeMs: number;
  ctimeMs: number;
  /** Some writers store whole seconds only. */
  hasFraction: boolean;
  /** The merge stage of the entry; 0 unless a merge is unresolved. */
  stage: number;
  object: Buffer;
};

/** Undefined when there is no index, or its format is unknown here. */
export function readTracked(workspace: Workspace): Set<string> | undefined {
  try {
    using place = workspace.locate('.git/index', { followLast: false, access: 'read', pathChars: 4096 });
    using file = openRegular(place);
    if (file.stat.size > maxIndexBytes) return undefined;
    const paths = new Set<string>();
    const isWhole = parseIndex(readWhole(file, '.git/index'), (path) => paths.add(path));
    return isWhole ? paths : undefined;
  } catch {
    return undefined;
  }
}

/** Passes every entry to `give`; false when the format is unknown. A damaged index throws. */
export function parseIndex(bytes: Buffer, give: (path: string, entry: () => IndexEntry) => void): boolean {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 4) !== 'DIRC') return false;
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) return false;
  let at = 12;
  let last: Buffer = Buffer.alloc(0);
  for (let i = 0; i < bytes.readUInt32BE(8); i++) {
    const entryAt = at;
    const isExtended = (bytes.readUInt16BE(at + 60) & 0x4000) !== 0;
    const nameAt = at + fixedBytes + (isExtended ? 2 : 0);
    const name = version === 4 ? readCompressed(bytes, nameAt, last) : readPlain(bytes, at, nameAt);
    give(name.path.toString('utf8'), () => readEntry(bytes, entryAt));
    last = name.path;
    at = name.next;
  }
  return true;
}

function readEntry(bytes: Buffer, at: number): IndexEntry {
  const word = (offset: number): number => bytes.readUInt32BE(at + offset);
  return {
    ctimeMs: word(0) * 1000 + word(4) / 1e6,
    mtimeMs: word(8) * 1000 + word(12) / 1e6,
    hasFraction: word(4) !== 0 || word(12) !== 0,
    ino: word(20),
    mode: word(24),
    size: word(36),
    object: bytes.subarray(at + 40, at + 60),
    stage: (bytes.readUInt16BE(at + 60) >> 12) & 3,
  };
}

type Name = { path: Buffer; next: number };

// The entry is padded with NULs to a length that is a multiple of eight.
function readPlain(bytes: Buffer, entryAt: number, nameAt: number): Name {
  const end = endOf(bytes, nameAt);
  return { path: bytes.subarray(nameAt, end), next: entryAt + ((end - entryAt + 8) & ~7) };
}

// Version 4: how many bytes of the last name to drop, then what to add.
function readCompressed(bytes: Buffer, nameAt: number, last: Buffer): Name {
  let at = nameAt;
  let byte = bytes.readUInt8(at++);
  let drop = byte & 0x7f;
  while (byte & 0x80) {
    byte = bytes.readUInt8(at++);
    drop = ((drop + 1) << 7) | (byte & 0x7f);
  }
  const end = endOf(bytes, at);
  return {
    path: Buffer.concat([last.subarray(0, last.length - drop), bytes.subarray(at, end)]),
    next: end + 1,
  };
}

function endOf(bytes: Buffer, from: number): number {
  const end = bytes.indexOf(0, from);
  // Without an end, the scan would read the same entries for ever.
  if (end < 0) throw new RangeError('a name without an end');
  return end;
}
