// Which versions of files were made by calls of this host. When an approved edit finds the file changed, this tells whether others
// did it, or only edits that were agreed to as well.
import type { Effect, Plan } from '@codelab/protocol';

export type OwnChanges = {
  note(effects: readonly Effect[]): void;
  has(basis: Plan['basis'][number]): boolean;
};

const mostKept = 2000;

export function createOwnChanges(): OwnChanges {
  const latest = new Map<string, string>();
  return {
    note(effects) {
      for (const { path, after } of effects) {
        latest.delete(path);
        if (after?.digest !== undefined) latest.set(path, `${after.digest}:${after.mode}`);
      }
      for (const path of latest.keys()) {
        if (latest.size <= mostKept) break;
        latest.delete(path);
      }
    },
    has: ({ path, print }) => latest.get(path) === print,
  };
}

/**
 * Whether somebody who agreed to the one plan was shown the other one as well: the same lines go and come in the same files, and what
 * moved under them was moved by our own calls only, which were agreed to too.
 */
export function isAgreedTo(agreed: Plan, now: Plan, own: OwnChanges): boolean {
  const prints = new Map(agreed.basis.map(({ path, print }) => [path, print]));
  const isKnown = (one: Plan['basis'][number]): boolean => prints.get(one.path) === one.print || own.has(one);
  return (
    agreed.basis.length === now.basis.length &&
    now.basis.every((one) => prints.has(one.path) && isKnown(one)) &&
    isSame(agreed.touches, now.touches) &&
    isSame(agreed.notes, now.notes) &&
    agreed.risk === now.risk &&
    hasOnlyDiff(agreed) &&
    hasOnlyDiff(now) &&
    isSame(linesOf(agreed), linesOf(now))
  );
}

function hasOnlyDiff({ diff, command, blast, question }: Plan): boolean {
  const isWhole = diff !== undefined && !diff.truncated;
  return isWhole && command === undefined && blast === undefined && question === undefined;
}

/** What goes and what comes, hunk by hunk; where it stands in the file may have moved, and the lines around it may be others. */
function linesOf({ diff }: Plan): string[] {
  return (diff?.text ?? '').split('\n').flatMap((line) => {
    if (line.startsWith('@@')) return ['@@'];
    return line.startsWith(' ') ? [] : [line];
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
