// A copy of a sample workspace to play in; the original stays as it is.
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { checkOwner } from '@codelab/server';

type Sample = 'notes' | 'hello-shop';

/** A new copy each time. */
export function copySample(name: Sample): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'codelab-demo-')), name);
  cpSync(findSample(name, import.meta.dirname), copy, { recursive: true });
  return copy;
}

/** The same copy each time, in a folder of ours: what was done in it is there again after a restart. */
export function keepSample(name: Sample, home: string): string {
  const folder = sampleFolder(home);
  const kept = join(folder, name);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  checkOwner(folder, 'The folder of the sample workspace');
  if (existsSync(kept)) return kept;
  const fresh = mkdtempSync(join(folder, '.new-'));
  cpSync(findSample(name, import.meta.dirname), fresh, { recursive: true });
  renameSync(fresh, kept);
  return kept;
}

/** Beside the state folder; inside of it where anybody may lay folders beside it, as in /tmp. */
function sampleFolder(home: string): string {
  const parent = statSync(dirname(home), { throwIfNoEntry: false });
  const isShared = parent !== undefined && (parent.mode & 0o022) !== 0;
  return isShared ? join(home, 'sample') : join(dirname(home), 'codelab-sample');
}

// The sources and the bundle lie at different depths.
function findSample(name: Sample, folder: string): string {
  const sample = join(folder, 'examples', name);
  if (existsSync(sample)) return sample;
  if (dirname(folder) === folder)
    throw new ToolError('FILE_NOT_FOUND', `The sample workspace examples/${name} did not come along.`);
  return findSample(name, dirname(folder));
}
