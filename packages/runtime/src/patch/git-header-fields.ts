/** Collects the lines of one git header by how they start, as far as they are lines of a header. */
import { patchFailure } from './patch-failure.ts';

const FIELDS = [
  'old mode ',
  'new mode ',
  'deleted file mode ',
  'new file mode ',
  'copy from ',
  'copy to ',
  'rename from ',
  'rename to ',
  'similarity index ',
  'dissimilarity index ',
  'index ',
  '--- ',
  '+++ ',
] as const;

export type GitHeaderField = 'diff --git ' | (typeof FIELDS)[number];
export type GitHeaderFields = Map<GitHeaderField, { text: string; patchLine: number }>;

export function gitHeaderFields(
  lines: readonly string[],
  at: number,
): { fields: GitHeaderFields; isCrlf: boolean; next: number } {
  const fields: GitHeaderFields = new Map();
  let field: GitHeaderField | undefined = 'diff --git ';
  let isCrlf = true;
  let next = at;
  while (field !== undefined) {
    if (fields.has(field)) throw patchFailure(`"${field.trim()}" stands twice.`, { patchLine: next + 1 });
    const text = (lines[next] ?? '').slice(field.length);
    fields.set(field, { text, patchLine: next + 1 });
    isCrlf &&= text.endsWith('\r');
    next++;
    field = field === '+++ ' ? undefined : fieldOf(lines[next] ?? '');
  }
  if (isCrlf) for (const entry of fields.values()) entry.text = entry.text.slice(0, -1);
  return { fields, isCrlf, next };
}

function fieldOf(line: string): GitHeaderField | undefined {
  return FIELDS.find((field) => line.startsWith(field));
}
