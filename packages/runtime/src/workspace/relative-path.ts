// Absolute paths inside the workspace, as callers spell them, become relative ones before anything is checked. All others stay as they
// are, to be refused where paths are resolved.
import { type BigIntStats, statSync } from 'node:fs';
import type { Directory } from './directory.ts';

// More than any system takes; nothing longer is looked up.
const maxChars = 4096;

export function relativePath(root: Directory, asked: string): string {
  if (!asked.startsWith('/') || asked.length > maxChars || asked.includes('\0')) return asked;
  if (asked.split('/').includes('..')) return asked;
  const end =
    asked === root.real || asked.startsWith(`${root.real}/`) ? root.real.length : endOfRoot(root, asked);
  return end === undefined ? asked : asked.slice(end).replace(/^\/+/, '') || '.';
}

/**
 * Where the part of a path ends that leads to the root through symbolic links. Only the root itself counts, known by its identity; the
 * rest is looked up below the open root, so that a link exchanged later leads nowhere else.
 */
function endOfRoot(root: Directory, asked: string): number | undefined {
  // Links there name what some process has open, which is no spelling of a folder.
  if (/^\/+(proc|dev)(\/|$)/.test(asked)) return undefined;
  const held = statSync(root.at('.'), { bigint: true });
  for (const { index } of asked.matchAll(/(?<=[^/])(?=\/|$)/g)) {
    const stat = statOf(asked.slice(0, index));
    if (stat?.isDirectory() !== true) return undefined;
    if (stat.dev === held.dev && stat.ino === held.ino) return index;
  }
  return undefined;
}

function statOf(path: string): BigIntStats | undefined {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // Not to be looked at, so not the root either.
    return undefined;
  }
}
