/** Files as an npm tarball whose bytes depend on the files alone: sorted, one date, no owner, no trace of the machine. */
import { gzipSync } from 'node:zlib';

export type PackedFile = { name: string; contents: Uint8Array; isExecutable?: boolean };

const block = 512;
// The date npm gives to every file of a package: zip programs know no earlier year.
const date = Date.UTC(1985, 9, 26, 8, 15) / 1000;

export function makeTarball(files: readonly PackedFile[]): Buffer {
  const sorted = files.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const entries = sorted.flatMap((file) => [header(file), file.contents, padding(file.contents.length)]);
  const packed = gzipSync(Buffer.concat([...entries, Buffer.alloc(2 * block)]), { level: 9 });
  // The tenth byte names the operating system on which it was compressed; 255 is "unknown".
  packed[9] = 255;
  return packed;
}

/** https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html, "ustar Interchange Format". */
function header({ name, contents, isExecutable = false }: PackedFile): Buffer {
  const { prefix, rest } = splitName(`package/${name}`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number): void => {
    bytes.write(`${value.toString(8).padStart(length - 1, '0')}\0`, at, 'latin1');
  };
  bytes.write(rest, 0, 'utf8');
  octal(isExecutable ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(contents.length, 124, 12);
  octal(date, 136, 12);
  bytes.write('0', 156, 'latin1');
  bytes.write('ustar\x0000', 257, 'latin1');
  bytes.write(prefix, 345, 'utf8');
  // The sum counts its own field as spaces.
  bytes.fill(' ', 148, 156);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1');
  return bytes;
}

function splitName(path: string): { prefix: string; rest: string } {
  if (Buffer.byteLength(path) <= 100) return { prefix: '', rest: path };
  const at = path.indexOf('/', Math.max(0, path.length - 101));
  const [prefix, rest] = [path.slice(0, at), path.slice(at + 1)];
  if (at < 0 || Buffer.byteLength(prefix) > 155 || Buffer.byteLength(rest) > 100)
    throw new Error(`${path} is too long a name for a tarball`);
  return { prefix, rest };
}

function padding(length: number): Buffer {
  return Buffer.alloc((block - (length % block)) % block);
}
