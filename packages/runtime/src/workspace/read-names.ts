// The names in a folder, as bytes where they are not UTF-8, read in pieces: one call for 200,000 names takes a tenth of a second.
import { isUtf8 } from 'node:buffer';
import { opendirSync, readdirSync } from 'node:fs';
import type { Pieces, Steps } from '../platform/steps.ts';
import type { Directory, Name } from './directory.ts';
import { errno } from './fault.ts';

/** `isDirectory` is what the folder said at that moment; it may have changed since. */
export type Named = { name: Name; isDirectory: boolean };

// Reading a name is about a hundred times cheaper than working on what it stands for.
const cost = 1 / 128;

export function* readNames(directory: Directory, pieces: Pieces): Steps<Named[]> {
  const found: Named[] = [];
  // Latin-1 keeps every byte as it is; as UTF-8, bytes that are none would be replaced.
  using folder = opendirSync(directory.at('.'), { encoding: 'latin1', bufferSize: 1024 });
  try {
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync()) {
      found.push({ name: toName(entry.name), isDirectory: entry.isDirectory() });
      yield* pieces.pause(cost);
    }
  } catch (error) {
    // A disk that does not tell types along with names has Node look each one up, by its Latin-1 spelling.
    if (errno(error) !== 'ENOENT') throw error;
    return readdirSync(directory.at('.'), { encoding: 'buffer' }).map((name) => ({
      name: toName(name.toString('latin1')),
      isDirectory: false,
    }));
  }
  return found;
}

function toName(latin1: string): Name {
  if (!/[\x80-\xff]/.test(latin1)) return latin1;
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString() : bytes;
}
