// The files of the built web IDE. The build lists them in files.json; the path of a request is looked up in that list and never joined to a
// folder, so no other file can be requested.
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliDecompress, gzip } from 'node:zlib';

export type BuiltFile = { contents: Buffer; headers: Record<string, string> };

/** A name below the folder, with the ending that it has on the disk: a compressed file is stored in no other form. */
type Endings = ReadonlyMap<string, '' | '.br'>;
type FileList = {
  endings: Endings;
  /** Files in gzip, by name. They are kept, so that requests from other machines can't keep this one busy with compressing. */
  gzipped: Map<string, Promise<Buffer>>;
};

const listName = 'files.json';
const types: Record<string, string> = {
  '.css': 'text/css; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** Finds a file by its name in the list, compressed when the browser accepts that. */
export function openBuiltFiles(
  folder: string,
): (name: string, accepted: string | undefined) => Promise<BuiltFile | undefined> {
  const listOf = openList(folder);
  return async (name, accepted = '') => {
    const { endings, gzipped } = await listOf();
    const ending = endings.get(name);
    const type = types[extname(name)];
    if (ending === undefined || type === undefined) return undefined;
    // A build may remove an old file after the list was read.
    const stored = await readFile(join(folder, name + ending)).catch(() => undefined);
    if (stored === undefined) return undefined;
    if (ending === '') return { contents: stored, headers: { 'content-type': type } };
    const headers = { 'content-type': type, vary: 'accept-encoding' };
    if (accepts(accepted, 'br'))
      return { contents: stored, headers: { ...headers, 'content-encoding': 'br' } };
    if (!accepts(accepted, 'gzip')) return { contents: await decompress(stored), headers };
    // Browsers ask for Brotli over HTTPS and from this machine alone.
    const compressed = gzipped.get(name) ?? decompress(stored).then((plain) => promisify(gzip)(plain));
    gzipped.set(name, compressed);
    return { contents: await compressed, headers: { ...headers, 'content-encoding': 'gzip' } };
  };
}

function decompress(stored: Buffer): Promise<Buffer> {
  return promisify(brotliDecompress)(stored);
}

/** Read again after a build; a folder without a list has no files. */
function openList(folder: string): () => Promise<FileList> {
  const path = join(folder, listName);
  let cached: FileList & { version: string } = { version: '', endings: new Map(), gzipped: new Map() };
  return async () => {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return { endings: new Map(), gzipped: new Map() };
    const version = `${found.ino} ${found.mtimeMs} ${found.size}`;
    if (cached.version !== version) {
      const endings = JSON.parse(await readFile(path, 'utf8')) as Record<string, '' | '.br'>;
      cached = { version, endings: new Map(Object.entries(endings)), gzipped: new Map() };
    }
    return cached;
  };
}

function accepts(header: string, encoding: string): boolean {
  return header
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .some(([name, quality = '']) => name === encoding && !/^q=0(\.0*)?$/.test(quality));
}
