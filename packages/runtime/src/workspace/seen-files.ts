// Which versions of files a session has read: checked before a write and updated after it, with a cache of texts read lately.

import type { BigIntStats } from 'node:fs';
import { type Seen, ToolError } from '@codelab/protocol';
import { identity } from './directory.ts';
import type { Located } from './locate.ts';
import type { Text } from './text-files.ts';
import type { Workspace } from './workspace.ts';

// A file must be read before it is written: a session cannot change a file that it has not read, or has read in another version.

/** `seen` says which version of a file this session knows. */
type SeenContext = { seen(path: string): string | undefined };

export function checkRead(place: Located, context: SeenContext): void {
  if (place.stat === undefined) return;
  if (context.seen(place.path) === undefined) {
    throw new ToolError(
      'INVALID_ARGUMENTS',
      'File has not been read yet. Read it first before writing to it.',
      { reason: 'not_read' },
    );
  }
  checkSeen(place, context);
}

/** What the session has not seen at all may be written; what it has seen must be that version. */
export function checkSeen({ path, stat }: Located, { seen }: SeenContext): void {
  const print = seen(path);
  if (stat !== undefined && print !== undefined && print !== identity(stat)) {
    throw new ToolError(
      'STALE',
      'File has been modified since read, either by the user or by a linter. Read it again before attempting to write it.',
      { reason: 'changed_since_read' },
    );
  }
}

/**
 * The version of a file that the caller knows after a change of ours. The change is already made, so a file that can't be read now (no descriptor
 * left, a link in the place of its folder) is no reason to fail: it must be read again before it is edited.
 */
export function seeAgain(workspace: Workspace, path: string): Seen[] {
  try {
    using place = workspace.locate(path, {
      followLast: false,
      access: 'read',
      pathChars: Number.MAX_SAFE_INTEGER,
    });
    return place.stat === undefined ? [] : [{ path, print: identity(place.stat) }];
  } catch {
    return [];
  }
}

/** Text of files read lately. It is served only when the file just found is, by its identity, the very version that was kept; taking away the right to read it changes that too. */
const maxBytes = 32 * 1024 * 1024;
// A file changed within the clock's resolution of being read could change again without its times showing it. The change time is compared, because no
// program can set it back.
const grainNs = 50_000_000n;

type CachedText = { text: Text; bytes: number; until: number };

export type ReadCache = {
  get(stat: BigIntStats): Text | undefined;
  put(stat: BigIntStats, text: Text, keepMs: number): void;
};

export function createReadCache(now: () => number = Date.now): ReadCache {
  const cached = new Map<string, CachedText>();
  let total = 0;
  const drop = (key: string): void => {
    total -= cached.get(key)?.bytes ?? 0;
    cached.delete(key);
  };
  return {
    get(stat) {
      const key = identity(stat);
      const found = cached.get(key);
      if (found === undefined) return undefined;
      if (found.until > now()) return found.text;
      drop(key);
      return undefined;
    },
    put(stat, text, keepMs) {
      const bytes = Number(stat.size);
      const fresh = BigInt(now()) * 1_000_000n - stat.ctimeNs < grainNs;
      if (keepMs <= 0 || fresh || bytes > maxBytes / 4) return;
      const key = identity(stat);
      drop(key);
      cached.set(key, { text, bytes, until: now() + keepMs });
      total += bytes;
      for (const oldest of cached.keys()) {
        if (total <= maxBytes) break;
        drop(oldest);
      }
    },
  };
}
