// The program of our own that runs around the sandbox and records which files a command writes: native/trace-writes.c. Without it, undo judges
// by time whose a change is.
import { accessSync, constants } from 'node:fs';
import { basename, join } from 'node:path';
import { isSwitchedOff } from '../../platform/system.ts';

/** By their first program, the sandboxes that work when they are traced. */
const traceable = new Set<string>();

/** Tries a sandbox under the tracer: it may need what a traced program can't have, such as the rights of a setuid program. */
export function underTracer(
  argv: readonly string[],
  succeeds: (traced: readonly string[]) => boolean,
): boolean {
  const [program = ''] = argv;
  const tracer = findTracer();
  const isTraceable = 'path' in tracer && succeeds([tracer.path, '/dev/null', '/', '--', ...argv]);
  traceable[isTraceable ? 'add' : 'delete'](program);
  return isTraceable;
}

/** The argv that runs a sandbox, and records in the file `report` what is written below `root`; unchanged where that does not work. */
export function traced(
  argv: readonly string[],
  { report, root }: { report: string; root: string },
): readonly string[] {
  const tracer = findTracer();
  const isUsed = 'path' in tracer && traceable.has(argv[0] ?? '');
  return isUsed ? [tracer.path, report, root, '--', ...argv] : argv;
}

/** native/trace-writes.c, which the build compiles where there is a compiler: beside the bundle, or in the folder of its source. */
export function findTracer(): { path: string } | { why: string } {
  if (isSwitchedOff('trace')) return { why: 'CODELAB_WITHOUT switches it off' };
  const ownFolder = import.meta.dirname;
  const folder =
    basename(ownFolder) === 'backends' ? join(ownFolder, '..', '..', '..', 'native', 'dist') : ownFolder;
  const path = join(folder, `trace-writes-${process.arch}`);
  try {
    accessSync(path, constants.X_OK);
    return { path };
  } catch {
    return { why: 'trace-writes is not part of this installation' };
  }
}
