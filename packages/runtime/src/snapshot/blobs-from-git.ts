// Copies what files held before a command from git's objects into the quarantine; read-only, and every object is verified by its hash.
import { createHash } from 'node:crypto';
import { runGit } from '../git/run-git.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { writeCopy } from './packed-copies.ts';
import type { TreeEntry } from './tree-entry.ts';

export type WantedBlob = { path: string; object: string; entry: TreeEntry };

const chunkBytes = 16 * 1024 * 1024;
const chunkFiles = 2000;
const timeoutMs = 60_000;
/** A larger file is not read from git. */
export const mostBlobBytes = 4 * chunkBytes - 1024;

/** Writes each object to the file that `place` returns. Returns the paths found. */
export async function blobsFromGit(
  workspace: Workspace,
  files: readonly WantedBlob[],
  place: (path: string) => string,
): Promise<Set<string>> {
  const readBlobs = new Set<string>();
  for (const chunk of inChunks(files)) {
    const blobs = await read(workspace, chunk);
    for (const { path, object, entry } of chunk) {
      const content = asItWas(blobs.get(object), entry.size);
      if (content !== undefined && writeCopy(place(path), content, entry)) readBlobs.add(path);
    }
  }
  return readBlobs;
}

function* inChunks(files: readonly WantedBlob[]): Generator<WantedBlob[]> {
  let [chunk, bytes]: [WantedBlob[], number] = [[], 0];
  for (const file of files) {
    if (chunk.length >= chunkFiles || (chunk.length > 0 && bytes + file.entry.size > chunkBytes)) {
      yield chunk;
      [chunk, bytes] = [[], 0];
    }
    chunk.push(file);
    bytes += file.entry.size;
  }
  if (chunk.length > 0) yield chunk;
}

async function read(workspace: Workspace, chunk: readonly WantedBlob[]): Promise<Map<string, Buffer>> {
  try {
    const { stdout } = await runGit({
      workspace,
      args: ['cat-file', '--batch'],
      input: `${[...new Set(chunk.map(({ object }) => object))].join('\n')}\n`,
      signal: AbortSignal.timeout(timeoutMs),
      maxBytes: 4 * chunkBytes,
    });
    return parse(stdout);
  } catch {
    // The command may have deleted the repository, or changed it so that it must not be used.
    return new Map();
  }
}

// The format is `<object> blob <size>`, a line feed, the bytes, a line feed; or `<object> missing`.
function parse(stdout: Buffer): Map<string, Buffer> {
  const blobs = new Map<string, Buffer>();
  for (let at = 0; at < stdout.length; ) {
    const end = stdout.indexOf(0x0a, at);
    if (end < 0) break;
    const [object = '', type, size] = stdout.toString('latin1', at, end).split(' ');
    at = end + 1;
    if (type === 'missing') continue;
    const content = stdout.subarray(at, at + Number(size));
    at += Number(size) + 1;
    if (type === 'blob' && nameOf(content) === object) blobs.set(object, content);
  }
  return blobs;
}

function nameOf(content: Buffer): string {
  return createHash('sha1').update(`blob ${content.length}\0`).update(content).digest('hex');
}

// git may have converted line endings, which shows in the size: each CRLF is one byte longer than its LF. Either none or all line
// endings were CRLF; in a mixture it is unknown which ones were.
function asItWas(blob: Buffer | undefined, size: number): Buffer | undefined {
  if (blob === undefined || blob.length === size) return blob;
  const converted = Buffer.from(blob.toString('latin1').replaceAll('\n', '\r\n'), 'latin1');
  return converted.length === size && !blob.includes('\r\n') ? converted : undefined;
}
