// A fresh copy of the sample workspace to play in; the original stays as it is.
import { cpSync, existsSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ToolError } from '@codelab/protocol';

export function copySample(): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'codelab-demo-')), 'notes');
  cpSync(findSample(import.meta.dirname), copy, { recursive: true });
  return copy;
}

// The sources and the bundle lie at different depths.
function findSample(folder: string): string {
  const sample = join(folder, 'examples', 'notes');
  if (existsSync(sample)) return sample;
  if (dirname(folder) === folder)
    throw new ToolError('FILE_NOT_FOUND', 'The sample workspace examples/notes did not come along.');
  return findSample(dirname(folder));
}
