// Where something was found, in the caller's spelling: their directory goes on into it, a file they named is as they named it.
import type { Json } from '../dialect.ts';

export function spelledPlace(data: Json, asked: Json): (path: string) => string {
  const searched = String(data.path);
  const spelled = typeof asked.path === 'string' && asked.path !== '' ? asked.path : '.';
  const prefix = spelled === '.' ? '' : spelled.endsWith('/') ? spelled : `${spelled}/`;
  const below = searched === '.' ? 0 : searched.length + 1;
  return (path) => (path === searched ? spelled : prefix + path.slice(below));
}
