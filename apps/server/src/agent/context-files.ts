// Files of the workspace that are put before a model unasked; read again only when they have changed.
import type { Texts } from '@codelab/agent';
import { identity, readText, type Workspace } from '@codelab/runtime';

export function workspaceTexts(workspace: Workspace): Texts {
  const known = new Map<string, { version: string; text: string | undefined }>();
  return {
    async read(path, maxBytes) {
      const version = versionOf(workspace, path);
      if (version === undefined) return undefined;
      const before = known.get(path);
      if (before?.version === version) return before.text;
      const text = readQuietly(workspace, path, maxBytes);
      known.set(path, { version, text });
      return text;
    },
  };
}

function versionOf(workspace: Workspace, path: string): string | undefined {
  try {
    using place = workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
    return place.stat && identity(place.stat);
  } catch {
    return undefined;
  }
}

// Too large, not text, not ours to read: then it is not shown.
function readQuietly(workspace: Workspace, path: string, maxBytes: number): string | undefined {
  try {
    return readText(workspace, path, { maxBytes, followLast: true });
  } catch {
    return undefined;
  }
}
