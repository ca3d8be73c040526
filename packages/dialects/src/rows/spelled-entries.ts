// The entries of a listing, with paths that go on from the directory as the caller spelled it.
import type { Json } from '../dialect.ts';

type Entry = {
  name: string;
  path: string;
  type: 'file' | 'directory' | 'symlink' | 'other';
  size?: number;
  modified?: string;
};

export function spelledEntries(data: Json, asked: Json): Entry[] {
  const listed = data.path === '.' ? '' : `${data.path}/`;
  const prefix = prefixOf(typeof asked.path === 'string' ? asked.path : '.');
  return (data.entries as Entry[]).map((entry) => ({
    ...entry,
    path: prefix + entry.path.slice(listed.length),
  }));
}

function prefixOf(directory: string): string {
  if (directory === '.' || directory === '') return '';
  return directory.endsWith('/') ? directory : `${directory}/`;
}
