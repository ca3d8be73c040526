// A copy of a sample workspace to try things in; the original stays unchanged.
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { ensureFolder } from '@codelab/runtime';
import { checkFolderOwner } from '@codelab/server';

type Sample = 'notes' | 'hello-shop';

/** A new copy each time. */
export function copySample(name: Sample): string {
  const copy = join(mkdtempSync(join(tmpdir(), 'codelab-demo-')), name);
  cpSync(findSample(name, import.meta.dirname), copy, { recursive: true });
  return copy;
}

/** The same copy each time, in CodeLab's own folder, so that changes survive a restart. */
export function keepSample(name: Sample, home: string): string {
  const folder = sampleFolder(home);
  const sample = join(folder, name);
  ensureFolder(folder);
  checkFolderOwner(folder, 'The folder of the sample workspace');
  if (existsSync(sample)) return sample;
  const fresh = mkdtempSync(join(folder, '.new-'));
  cpSync(findSample(name, import.meta.dirname), fresh, { recursive: true });
  renameSync(fresh, sample);
  return sample;
}

/** Beside the state folder. In a folder that anybody may write to, such as /tmp, the name can't be guessed. */
function sampleFolder(home: string): string {
  const parent = statSync(dirname(home), { throwIfNoEntry: false });
  const isShared = parent !== undefined && (parent.mode & 0o022) !== 0;
  return isShared ? secretFolder(home) : join(dirname(home), 'codelab-sample');
}

function secretFolder(home: string): string {
  const note = join(home, 'sample-folder');
  const noteText = existsSync(note) ? readFileSync(note, 'utf8') : '';
  if (noteText !== '' && existsSync(noteText)) return noteText;
  const copy = mkdtempSync(join(dirname(home), 'codelab-sample-'));
  ensureFolder(home);
  writeFileSync(note, copy, { mode: 0o600 });
  return copy;
}

// The sources and the bundle are at different depths.
function findSample(name: Sample, folder: string): string {
  const sample = join(folder, 'examples', name);
  if (existsSync(sample)) return sample;
  if (dirname(folder) === folder)
    throw new ToolError(
      'FILE_NOT_FOUND',
      `The sample workspace examples/${name} is missing from this installation.`,
    );
  return findSample(name, dirname(folder));
}
