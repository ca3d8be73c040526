// The change of a reviewed file in the form of git.
import { createHash } from 'node:crypto';
import { type FilePatch, formatPatch, quotePath, type ReviewedFile } from '@codelab/runtime';

/** A change that a diff can't show becomes a line that programs which apply diffs skip. */
export function gitDiff(file: ReviewedFile): string {
  const { path, from = path, base, now, op, folder, gone, truncated } = file;
  const name = quotePath(path);
  if (gone !== undefined) return `# ${name}: ${gone}\n`;
  if (truncated) return `# ${name}: the diff is too long to be shown.\n`;
  if (folder)
    return op === 'move' ? `# folder ${quotePath(from)} moved to ${name}\n` : `# folder ${name}: ${op}\n`;
  const hunks = file.hunks.flatMap(({ hunk }) => (hunk === undefined ? [] : [hunk]));
  const gonePart: Part = { base, now: null, oldPath: from, newPath: null, hunks };
  const newPart: Part = { base: null, now, oldPath: null, newPath: path, hunks };
  // As in git, a file that becomes a link is deleted and created again. The hunks are those of the side that is text.
  if (base !== null && now !== null && base.state.type !== now.state.type)
    return formatPatch([patchOf(gonePart), patchOf(newPart)], 'notice');
  const oldPath = base === null ? null : from;
  return formatPatch([patchOf({ base, now, oldPath, newPath: now && path, hunks })], 'notice');
}

type Side = ReviewedFile['base'];
type Part = Pick<FilePatch, 'oldPath' | 'newPath' | 'hunks'> & { base: Side; now: Side };

function patchOf({ base, now, oldPath, newPath, hunks }: Part): FilePatch {
  const sides = [base, now].filter((side) => side !== null);
  const isLink = sides.some(({ state }) => state.type === 'symlink');
  const isText = isLink || sides.every(({ lines }) => lines !== undefined);
  const operation =
    base === null ? 'create' : now === null ? 'delete' : oldPath === newPath ? 'update' : 'rename';
  const [oldMode, newMode] = gitModes(base, now);
  const isSameMode = base?.state.mode === now?.state.mode;
  const isSame = base?.state.digest !== undefined && base.state.digest === now?.state.digest;
  return {
    ...{ oldPath, newPath, operation, hunks: isLink ? linkHunks(base, now) : isText ? hunks : [] },
    ...(oldMode && !isSameMode && { oldMode }),
    ...(newMode && !isSameMode && { newMode }),
    ...(isLink && { isLink: true }),
    ...(!isText && !isSame && { binary: binaryNotice(base, now) }),
  };
}

/** A binary file is shown only as "differs". */
function binaryNotice(base: Side, now: Side): NonNullable<FilePatch['binary']> {
  const rest = { method: 'literal' as const, size: 0, deflated: Buffer.alloc(0), lines: [] };
  return { oldHash: gitHash(base), newHash: gitHash(now), ...rest };
}

function gitHash(side: Side): string {
  if (side?.bytes === undefined) return '0000000';
  const header = `blob ${side.bytes.length}\0`;
  return createHash('sha1').update(header).update(side.bytes).digest('hex').slice(0, 7);
}

/** git records only whether a file is executable; other mode changes are shown by the mode itself. */
function gitModes(base: Side, now: Side): (number | null)[] {
  const sides = [base, now];
  const modes = sides.map((side) => {
    if (side === null) return null;
    if (side.state.type === 'symlink') return 0o120000;
    return (side.state.mode & 0o100) === 0 ? 0o100644 : 0o100755;
  });
  return modes[0] === modes[1] ? sides.map((side) => side && 0o100000 | side.state.mode) : modes;
}

/** The text of a link is where it leads, without a line end. */
function linkHunks(base: Side, now: Side): FilePatch['hunks'] {
  const lines = [
    ...(base?.link === undefined ? [] : [`-${base.link}`, noLineEnd]),
    ...(now?.link === undefined ? [] : [`+${now.link}`, noLineEnd]),
  ];
  if (lines.length === 0 || base?.link === now?.link) return [];
  const [oldLines, newLines] = [base?.link, now?.link].map((link) => (link === undefined ? 0 : 1));
  return [
    {
      oldStart: oldLines ?? 0,
      oldLines: oldLines ?? 0,
      newStart: newLines ?? 0,
      newLines: newLines ?? 0,
      lines,
    },
  ];
}

const noLineEnd = '\\ No newline at end of file';
