// A copy of a sample workspace to play in; the original stays as it is.
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ToolError } from '@codelab/protocol';

type Sample = 'notes' | 'hello-shop';

/** A new copy each time. */
export function copySample(name: Sample): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'codelab-demo-')), name);
  cpSync(findSample(name, import.meta.dirname), copy, { recursive: true });
  return copy;
}

/** The same copy each time, beside the state folder: what was done in it is there again after a restart. */
export function keepSample(name: Sample, home: string): string {
  const folder = join(dirname(home), 'codelab-sample');
  const kept = join(folder, name);
  if (existsSync(kept)) return kept;
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const fresh = mkdtempSync(join(folder, '.new-'));
  cpSync(findSample(name, import.meta.dirname), fresh, { recursive: true });
  renameSync(fresh, kept);
  return kept;
}

// The sources and the bundle lie at different depths.
function findSample(name: Sample, folder: string): string {
  const sample = join(folder, 'examples', name);
  if (existsSync(sample)) return sample;
  if (dirname(folder) === folder)
    throw new ToolError('FILE_NOT_FOUND', `The sample workspace examples/${name} did not come along.`);
  return findSample(name, dirname(folder));
}
