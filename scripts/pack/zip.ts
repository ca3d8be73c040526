/** Files as a zip archive whose bytes depend on the files alone: sorted, one date, no trace of the machine. */
import { crc32, deflateRawSync } from 'node:zlib';
import type { PackedFile } from './tarball.ts';

// 1985-10-26 08:15:00, the date npm gives to every file of a package, in the two halves that zip has for it.
const dosTime = (8 << 11) | (15 << 5);
const dosDate = ((1985 - 1980) << 9) | (10 << 5) | 26;
/** The version that knows deflate. */
const version = 20;
/** Whoever made the archive knows the modes of Unix. */
const unix = 3 << 8;
/** Names are UTF-8. */
const flags = 0x800;
const deflate = 8;

/** https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, without extensions: no file or archive comes near 4 GB. */
export function makeZip(files: readonly PackedFile[]): Buffer {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const bodies: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const file of sorted) {
    const packed = deflateRawSync(file.contents, { level: 9 });
    const name = Buffer.from(file.name, 'utf8');
    const common = commonFields(file.contents, packed, name);
    const body = Buffer.concat([word(0x04034b50), common, name, packed]);
    const madeBy = Buffer.alloc(2);
    madeBy.writeUInt16LE(version | unix);
    const mode = word(((file.isExecutable ? 0o100755 : 0o100644) << 16) >>> 0);
    directory.push(
      Buffer.concat([word(0x02014b50), madeBy, common, Buffer.alloc(6), mode, word(offset), name]),
    );
    bodies.push(body);
    offset += body.length;
  }
  const size = directory.reduce((sum, { length }) => sum + length, 0);
  return Buffer.concat([...bodies, ...directory, endRecord(sorted.length, size, offset)]);
}

/** The common fields of a file's header and its directory entry. */
function commonFields(contents: Uint8Array, packed: Buffer, name: Buffer): Buffer {
  const fields = Buffer.alloc(26);
  for (const [at, value] of [version, flags, deflate, dosTime, dosDate].entries())
    fields.writeUInt16LE(value, at * 2);
  fields.writeUInt32LE(crc32(contents), 10);
  fields.writeUInt32LE(packed.length, 14);
  fields.writeUInt32LE(contents.length, 18);
  fields.writeUInt16LE(name.length, 22);
  return fields;
}

function endRecord(count: number, size: number, offset: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(size, 12);
  end.writeUInt32LE(offset, 16);
  return end;
}

function word(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
