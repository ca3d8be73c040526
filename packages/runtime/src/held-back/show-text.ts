// The files of a kept thing with their texts, for a human who decides about it. Of a repository the objects are left out: nothing runs them.
import { lstatSync, readFileSync } from 'node:fs';
import type { Directory } from '../workspace/directory.ts';
import { byteName, lossyName, readEntries } from '../workspace/paths.ts';
import type { Spot } from '../workspace/quarantine.ts';
import { decodeText } from '../workspace/text-files.ts';

/** `text` is undefined when it is too long or no text. */
export type ShownFile = { path: string; text: string | undefined; size: number };

const maxFiles = 200;
const maxFileBytes = 256 * 1024;

export function showText(spot: Spot, path: string): ShownFile[] {
  const shown: ShownFile[] = [];
  look(spot.parent, spot.name, path, shown);
  return shown;
}

function look(parent: Directory, name: string, path: string, shown: ShownFile[]): void {
  if (shown.length >= maxFiles) return;
  const stat = lstatSync(parent.at(byteName(name)));
  if (stat.isDirectory()) {
    using folder = parent.openBelow(byteName(name));
    const entries = readEntries(folder).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const isRepository = entries.some((entry) => entry.name === 'HEAD');
    for (const entry of entries)
      if (!(isRepository && (entry.name === 'objects' || /\.sample$/.test(entry.name))))
        look(folder, entry.name, `${path}/${entry.name}`, shown);
    return;
  }
  const isShort = stat.isFile() && stat.size <= maxFileBytes;
  // The samples that `git init` brings along start nothing.
  if (/\/hooks\/[^/]+\.sample$/.test(path)) return;
  shown.push({
    path: lossyName(path),
    text: isShort ? textOf(parent.at(byteName(name)), path) : undefined,
    size: stat.size,
  });
}

function textOf(at: string | Buffer, path: string): string | undefined {
  try {
    return decodeText(readFileSync(at), path).text;
  } catch {
    return undefined;
  }
}
