/** Writes file patches as one git diff that `git apply` accepts. */
import type { FilePatch, PatchHunk } from './file-patch.ts';
import { quotePath } from './unified-diff.ts';

/** `binary` decides whether binary patches are written whole, to be applied, or as a notice for a human. */
export function formatPatch(files: readonly FilePatch[], binary: 'whole' | 'notice' = 'whole'): string {
  return files.map((file) => `${linesOfFile(file, binary).join('\n')}\n`).join('');
}

function linesOfFile(file: FilePatch, binary: 'whole' | 'notice'): string[] {
  const header = headerOf(file);
  if (!file.binary) return [...header, ...file.hunks.flatMap(linesOf)];
  if (binary === 'whole') return [...header, ...file.binary.lines];
  return [...header, `Binary files ${sideName('a', file.oldPath)} and ${sideName('b', file.newPath)} differ`];
}

function headerOf(file: FilePatch): string[] {
  const oldPath = file.oldPath ?? file.newPath ?? '';
  const newPath = file.newPath ?? oldPath;
  const lines = [`diff --git ${quotePath(`a/${oldPath}`)} ${quotePath(`b/${newPath}`)}`];
  lines.push(...modesOf(file));
  if (file.operation === 'rename' || file.operation === 'copy') {
    if (file.hunks.length === 0 && !file.binary) lines.push('similarity index 100%');
    lines.push(`${file.operation} from ${quotePath(oldPath)}`, `${file.operation} to ${quotePath(newPath)}`);
  }
  // git recognizes a changed link by the mode in this line and ignores the hashes.
  if (file.isLink && file.operation === 'update') lines.push('index 0000000..0000000 120000');
  if (file.binary) lines.push(`index ${file.binary.oldHash}..${file.binary.newHash}`);
  if (file.hunks.length === 0) return lines;
  return [...lines, `--- ${sideName('a', file.oldPath)}`, `+++ ${sideName('b', file.newPath)}`];
}

function modesOf({ operation, oldMode, newMode, hunks, binary }: FilePatch): string[] {
  const isEmpty = hunks.length === 0 && !binary;
  if (operation === 'create') {
    const index = isEmpty ? ['index 0000000..e69de29'] : [];
    return [`new file mode ${octal(newMode)}`, ...index];
  }
  if (operation === 'delete') {
    const index = isEmpty ? ['index e69de29..0000000'] : [];
    return [`deleted file mode ${octal(oldMode)}`, ...index];
  }
  if (oldMode === undefined || newMode === undefined) return [];
  return [`old mode ${octal(oldMode)}`, `new mode ${octal(newMode)}`];
}

function octal(mode = 0o100644): string {
  return mode.toString(8);
}

function sideName(side: 'a' | 'b', path: string | null): string {
  if (path === null) return '/dev/null';
  const name = quotePath(`${side}/${path}`);
  // As in git: without the tab, patch programs end the name at its first space.
  return name.includes(' ') ? `${name}\t` : name;
}

function linesOf(hunk: PatchHunk): string[] {
  const ranges = `-${range(hunk.oldStart, hunk.oldLines)} +${range(hunk.newStart, hunk.newLines)}`;
  const section = hunk.section === undefined ? '' : ` ${hunk.section}`;
  return [`@@ ${ranges} @@${section}`, ...hunk.lines];
}

function range(start: number, count: number): string {
  return count === 1 ? `${start}` : `${start},${count}`;
}
