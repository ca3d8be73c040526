// The files of the built web IDE. The build lists them in files.json; the path of a request is looked up in that list and is never joined
// to a folder, so nothing else can be asked for.
import { readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';

export type BuiltFile = { contents: Buffer; headers: Record<string, string> };

type Encoding = 'br' | 'gzip';
/** A name below the folder, with the compressed forms beside it. */
type FileList = ReadonlyMap<string, readonly Encoding[]>;

const listName = 'files.json';
const endings: Record<Encoding, string> = { br: '.br', gzip: '.gz' };
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
    const encodings = (await listOf()).get(name);
    const type = types[extname(name)];
    if (encodings === undefined || type === undefined) return undefined;
    const encoding = encodings.find((candidate) => accepts(accepted, candidate));
    // A build may take an old file away between the list and this.
    const contents = await readFile(join(folder, name + (encoding ? endings[encoding] : ''))).catch(
      () => undefined,
    );
    if (contents === undefined) return undefined;
    return {
      contents,
      headers: {
        'content-type': type,
        ...(encodings.length > 0 && { vary: 'accept-encoding' }),
        ...(encoding && { 'content-encoding': encoding }),
      },
    };
  };
}

/** Read again after a build; a folder without a list has no files. */
function openList(folder: string): () => Promise<FileList> {
  const path = join(folder, listName);
  let known: { version: string; list: FileList } = { version: '', list: new Map() };
  return async () => {
    const found = await stat(path).catch(() => undefined);
    if (found === undefined) return new Map();
    const version = `${found.ino} ${found.mtimeMs} ${found.size}`;
    if (known.version !== version) {
      const encodings = JSON.parse(await readFile(path, 'utf8')) as Record<string, Encoding[]>;
      known = { version, list: new Map(Object.entries(encodings)) };
    }
    return known.list;
  };
}

function accepts(header: string, encoding: Encoding): boolean {
  return header
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*/))
    .some(([name, quality = '']) => name === encoding && !/^q=0(\.0*)?$/.test(quality));
}
