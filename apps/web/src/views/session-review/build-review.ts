// Converts the gateway's review into the value of the rows, and back: the discarded hunks, and the text of partly kept or edited ones.
import type { ReviewDraftBody, ReviewFile } from '@codelab/api';
import {
  type DiffFile,
  type Review,
  type ReviewItem,
  readDiff,
  reviewChoice,
  rewriteHunk,
} from '@codelab/protocol';

/** `ids`: the gateway's names of what each number stands for; a file that is not shown by hunks has all of its own under one. */
export type BuiltReview = { review: Review; ids: readonly (readonly string[])[] };

type Picks = Pick<ReviewDraftBody, 'discard' | 'edits'>;

export function buildReview(files: readonly ReviewFile[], { discard, edits }: Picks): BuiltReview {
  const discarded = new Set(discard);
  const texts = new Map(edits.map(({ hunk, text }) => [hunk, text]));
  const diffs = files.map(diffOf);
  const ids: string[][] = [];
  const items = files.flatMap((file, at) => {
    const hunkIds = file.hunks.map(({ id }) => id);
    const hunks = diffs[at]?.hunks ?? [];
    const units =
      hunks.length === 0
        ? [{ hunk: undefined, names: hunkIds }]
        : hunks.map((hunk, i) => ({ hunk, names: hunkIds.slice(i, i + 1) }));
    return units.map(({ hunk, names }): ReviewItem => {
      ids.push(names);
      const number = ids.length;
      const text = texts.get(names[0] ?? '');
      const isEdited = text !== undefined && hunk !== undefined;
      return {
        key: `${number}`,
        file: at,
        number,
        hunk: isEdited ? rewriteHunk(hunk, text) : hunk,
        isTaken: !names.some((id) => discarded.has(id)),
        isPart: false,
        isEdited,
      };
    });
  });
  return { review: { files: diffs, items, total: items.length }, ids };
}

export function picksOf({ review, ids }: BuiltReview): Picks {
  const { take, edits } = reviewChoice(review);
  const taken = new Set(take);
  return {
    discard: ids.flatMap((names, i) => (taken.has(i + 1) ? [] : names)),
    edits: edits.flatMap(({ hunk, text }) => (ids[hunk - 1] ?? []).map((id) => ({ hunk: id, text }))),
  };
}

/** The header of a file, made of what the gateway says of it: a diff without lines has none. */
function diffOf({ path, from, op, diff, hunks: named }: ReviewFile): DiffFile {
  const hunks = readDiff(diff).flatMap((file) => file.hunks);
  const old = quoted(`a/${from ?? path}`);
  const now = quoted(`b/${path}`);
  const header = [`diff --git ${old} ${now}`];
  if (op === 'move' && from !== undefined)
    header.push(`rename from ${quoted(from)}`, `rename to ${quoted(path)}`);
  if (op === 'create' || op === 'mkdir') header.push('new file mode 100644');
  if (op === 'delete') header.push('deleted file mode 100644');
  header.push(op === 'create' || op === 'mkdir' ? '--- /dev/null' : `--- ${old}`);
  header.push(op === 'delete' ? '+++ /dev/null' : `+++ ${now}`);
  // A diff that is cut short has fewer hunks than there are to decide about.
  return { header, hunks: hunks.length === named.length ? hunks : [] };
}

function quoted(name: string): string {
  const escapes: Record<string, string> = { '"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t', '\r': '\\r' };
  return /["\\\n\t\r]/.test(name)
    ? `"${name.replace(/["\\\n\t\r]/g, (character) => escapes[character] ?? character)}"`
    : name;
}
