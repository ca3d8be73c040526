// The diff that an undo would make, from the current files to the restored ones.
import { lstatSync, readFileSync } from 'node:fs';
import { type Diff, type Effect, ToolError } from '@codelab/protocol';
import { unifiedDiff } from '../patch/unified-diff.ts';
import type { PlanContext } from '../tool/define-tool.ts';
import type { Located } from '../workspace/locate.ts';
import { type DirectoryEntry, openItem } from '../workspace/quarantine/quarantine.ts';
import { decodeText } from '../workspace/text-files.ts';

const maxFileBytes = 1024 * 1024;

/** `effects` are in undo order; a path with several ends up as before the last one. */
export function diffUndo(effects: readonly Effect[], context: PlanContext): Diff | undefined {
  const { diffBytes } = context.limits;
  const last = new Map(effects.filter(isShown).map((effect) => [effect.path, effect]));
  const total: Diff = { text: '', additions: 0, deletions: 0, hunks: 0, truncated: false };
  for (const [path, effect] of last) {
    if (total.text.length > diffBytes) {
      total.truncated = true;
      break;
    }
    const now = textNow(path, context);
    const then = textBefore(effect, context.home);
    if (now === undefined || then === undefined) continue;
    const diff = unifiedDiff({ path, before: now, after: then, maxBytes: diffBytes - total.text.length });
    total.text += diff.text;
    total.additions += diff.additions;
    total.deletions += diff.deletions;
    total.hunks += diff.hunks;
    total.truncated ||= diff.truncated;
  }
  return total.text === '' ? undefined : total;
}

// Moves are listed by name; a folder has no text.
function isShown({ op, before, after }: Effect): boolean {
  const isText = (state: Effect['before']): boolean => state === null || state.type === 'file';
  return op !== 'move' && op !== 'mkdir' && isText(before) && isText(after);
}

/** Null when there is no file; undefined when the entry is not shown. */
function textNow(path: string, { workspace }: PlanContext): string | null | undefined {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    return place.stat === undefined ? null : readText(place);
  } catch (error) {
    // A folder on the path is now a file or a link, and will be a folder again.
    if (error instanceof ToolError) return null;
    throw error;
  }
}

function textBefore({ before, trashId }: Effect, home: string): string | null | undefined {
  if (before === null) return null;
  using item = trashId === undefined ? undefined : openItem(home, trashId);
  return item && readText(item);
}

function readText({ parent, name }: Located | DirectoryEntry): string | undefined {
  const stat = lstatSync(parent.at(name));
  if (!stat.isFile() || stat.size > maxFileBytes) return undefined;
  try {
    return decodeText(readFileSync(parent.at(name)), name).text;
  } catch {
    return undefined;
  }
}
