// Lists the files of a folder that was deleted whole, as by `rm -r`, from the quarantine. A folder that is too large, or that holds devices
// and the like, stays one entry.
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Effect, FileState } from '@codelab/protocol';
import { digest } from '../platform/digest.ts';
import { slotsFolder } from '../workspace/quarantine/quarantine.ts';

/** `files` are where each content is, by its digest. */
export type DeletedTree = { effects: Effect[]; files: ReadonlyMap<string, string> };

const limits = { entries: 1000, fileBytes: 2 * 1024 * 1024, bytes: 16 * 1024 * 1024 };

/** Undefined when the folder stays one entry. */
export function readDeletedTree(effect: Effect, home: string): DeletedTree | undefined {
  const { op, path, before, trashId } = effect;
  if (op !== 'delete' || before?.type !== 'directory' || trashId === undefined) return undefined;
  const contents: Effect[] = [];
  const folders: Effect[] = [];
  const files = new Map<string, string>();
  let bytesLeft = limits.bytes;
  const walk = (folder: string, below: string): boolean =>
    readdirSync(folder, { encoding: 'utf8' }).every((name) => {
      const [file, at] = [join(folder, name), `${below}/${name}`];
      const stat = lstatSync(file);
      const mode = stat.mode & 0o7777;
      if (contents.length + folders.length >= limits.entries || name.includes('\ufffd')) return false;
      if (stat.isDirectory()) {
        folders.push(deletion(at, { type: 'directory', size: 0, mode }));
        return walk(file, at);
      }
      if (stat.isSymbolicLink()) {
        const linkDigest = digest(readlinkSync(file));
        files.set(linkDigest, file);
        contents.push(deletion(at, { type: 'symlink', size: stat.size, mode, digest: linkDigest }));
        return true;
      }
      bytesLeft -= stat.size;
      if (!stat.isFile() || stat.size > limits.fileBytes || bytesLeft < 0) return false;
      const bytes = readFileSync(file);
      const fileDigest = digest(bytes);
      files.set(fileDigest, file);
      contents.push(deletion(at, { type: 'file', size: bytes.length, mode, digest: fileDigest }));
      return true;
    });
  try {
    if (!walk(join(slotsFolder(home), trashId), path)) return undefined;
  } catch {
    // No longer stored, or not readable for us.
    return undefined;
  }
  return { effects: [...contents, ...folders.reverse(), deletion(path, before)], files };
}

function deletion(path: string, before: FileState): Effect {
  return { op: 'delete', path, before, after: null };
}
