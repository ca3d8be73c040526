// Reports changes in the workspace to a server, for files that it does not have open: servers read the disk once and wait for
// notifications. The tree is compared before a question when the last comparison is old; within bounds, because a question must not wait
// long, and in pieces, because no other call must wait for it.
import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createPauses } from '../../platform/steps.ts';
import { uriOf } from '../places.ts';
import type { LiveServer } from './live-server.ts';

export type TreeWatch = {
  /** Call when a call has changed these paths. */
  note(paths: readonly string[]): void;
  /** Reports the changes since the last time. Other calls proceed while the tree is compared; undefined when it was compared lately. */
  tell(server: LiveServer): Promise<void> | undefined;
};

const everyMs = 2000;
const mostFiles = 20_000;
const mostMs = 100;
const leftOut = new Set(['node_modules', 'target', 'dist', 'build', '__pycache__', 'vendor']);
/** Manifests decide how the files of a language are read. */
const manifests =
  /^(?:[jt]sconfig.*\.json|package\.json|pyproject\.toml|setup\.(?:py|cfg)|pyrightconfig\.json|go\.(?:mod|work)|Cargo\.toml|compile_commands\.json|\.shellcheckrc)$/;

const created = 1;
const changed = 2;
const deleted = 3;

type Prints = Map<string, string>;

export function createTreeWatch(root: string, extensions: readonly string[]): TreeWatch {
  const untold = new Map<string, number>();
  let prints: Prints = new Map();
  let lookedAt = 0;
  // A new server has read nothing yet.
  let lastServer: LiveServer | undefined;
  let looking: Promise<void> | undefined;

  /** Records what has changed since the last comparison. */
  async function compare(server: LiveServer): Promise<void> {
    const isNew = lastServer !== server;
    const now = await readPrints(root, extensions);
    const changes = isNew ? new Map<string, number>() : changesSince(root, prints, now);
    // Paths that were not reached in time keep their old state.
    prints = isNew ? now : new Map([...prints, ...now]);
    for (const [path, kind] of changes) {
      untold.set(path, kind);
      if (kind === deleted) prints.delete(path);
    }
    lookedAt = performance.now();
    lastServer = server;
  }

  function report(server: LiveServer): undefined {
    if (untold.size === 0) return;
    const list = [...untold].map(([path, type]) => ({
      uri: uriOf(root, path),
      type: printAt(join(root, path)) === '' ? deleted : type,
    }));
    untold.clear();
    server.connection.notify('workspace/didChangeWatchedFiles', { changes: list });
  }

  return {
    note(paths) {
      for (const path of paths) if (untold.size < mostFiles) untold.set(path, changed);
    },
    tell(server) {
      if (lastServer === server && performance.now() - lookedAt < everyMs) return report(server);
      // Concurrent callers wait for the same comparison.
      looking ??= compare(server).finally(() => {
        looking = undefined;
      });
      return looking.then(() => report(server));
    },
  };
}

async function readPrints(root: string, extensions: readonly string[]): Promise<Prints> {
  const prints: Prints = new Map();
  const pauses = createPauses();
  const folders = [''];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    if (prints.size > mostFiles || pauses.workedMs() > mostMs) break;
    for (const entry of entriesOf(join(root, folder))) {
      if (pauses.isDue()) await pauses.rest();
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !entry.name.startsWith('.') && !leftOut.has(entry.name)) folders.push(path);
      else if (entry.isFile() && isWatched(entry.name, extensions))
        prints.set(path, printAt(join(root, path)));
    }
  }
  return prints;
}

function isWatched(name: string, extensions: readonly string[]): boolean {
  return manifests.test(name) || extensions.some((end) => name.toLowerCase().endsWith(end));
}

function changesSince(root: string, before: Prints, now: Prints): Map<string, number> {
  const changes = new Map<string, number>();
  for (const [path, print] of now) {
    const old = before.get(path);
    if (old !== print) changes.set(path, old === undefined ? created : changed);
  }
  for (const path of before.keys())
    if (!now.has(path) && printAt(join(root, path)) === '') changes.set(path, deleted);
  return changes;
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function printAt(path: string): string {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.ino}:${stat.size}:${stat.mtimeMs}`;
}
