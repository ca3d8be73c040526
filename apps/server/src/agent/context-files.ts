// Files of the workspace that are put before a model unasked; read and judged again only when they have changed. Nobody is asked for
// them, so one that is not free to read, be it by a link to another, is not shown.
import type { Texts } from '@codelab/agent';
import { ToolError } from '@codelab/protocol';
import {
  createRegistry,
  defaultProfile,
  type Host,
  identity,
  inspect,
  readText,
  type Workspace,
} from '@codelab/runtime';
import {
  instructionName,
  instructionNotices,
  readInstructions,
  type TouchedFolders,
} from './instructions.ts';

type TextOptions = Pick<Texts, 'hasFiles'> & {
  touched: TouchedFolders;
  /** Told once of each thing that keeps instructions from being used. */
  notice?: ((text: string) => void) | undefined;
};

export function workspaceTexts(
  host: Host,
  session: string,
  { hasFiles, touched, notice }: TextOptions,
): Texts {
  const { workspace, home } = host;
  const known = new Map<string, { version: string; text: string | undefined }>();
  const noticed = new Set<string>();
  const tell = (text: string): void => {
    if (noticed.has(text)) return;
    noticed.add(text);
    notice?.(text);
  };
  return {
    hasFiles,
    async instructions() {
      if (!hasFiles) return { files: [], held: [] };
      const isForUser = (await host.session(session)).owner === undefined;
      const places = { home, root: workspace.root.real, isForUser, read: this.read };
      const found = await readInstructions(places, touched);
      for (const text of instructionNotices(found)) tell(text);
      return {
        files: found.files.map((file) => ({ name: instructionName(file), text: file.text })),
        held: found.held,
      };
    },
    async unsaved(path) {
      const text = await unsavedText(host, session, path);
      return text !== undefined && (await isFreeToRead(host, { session }, path)) ? text : undefined;
    },
    async read(path, maxBytes) {
      const version = fileVersion(workspace, path);
      if (version === undefined) return undefined;
      const before = known.get(path);
      if (before?.version === version) return before.text;
      const isFree = await isFreeToRead(host, { session }, path);
      // What was judged is what is shown: a file that was put in its place meanwhile is looked at the next time.
      const text = isFree ? readQuietly(workspace, path, maxBytes) : undefined;
      if (fileVersion(workspace, path) !== version) return undefined;
      known.set(path, { version, text });
      return text;
    },
  };
}

/** What an editor holds of the file and has not saved. */
export async function unsavedText(host: Host, session: string, path: string): Promise<string | undefined> {
  return await inspect(host, { session }, ({ unsaved }) => unsaved(path));
}

/** Undefined when there is none, or none that may be looked at. */
export function fileVersion(workspace: Workspace, path: string): string | undefined {
  try {
    using place = workspace.locate(path, { followLast: true, access: 'read', pathChars: 4096 });
    return place.stat && identity(place.stat);
  } catch {
    return undefined;
  }
}

/** Whether the rules let it be read without asking anybody. */
export async function isFreeToRead(
  host: Host,
  { session, profile = defaultProfile }: { session: string; profile?: string | undefined },
  path: string,
): Promise<boolean> {
  const registry = await createRegistry(host, { session, profile, dialect: 'codelab' });
  try {
    return (await registry.approvalRequest('read_file', { path })).verdict.verdict === 'allow';
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
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
