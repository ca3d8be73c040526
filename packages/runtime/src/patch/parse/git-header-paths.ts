/** Which file a git header means and what happens to it; refuses a header whose lines name different files. */
import { type FileHeader, patchFailure } from '../file-patch.ts';
import { patchName, stripPrefixes, unquotePath } from './patch-paths.ts';

type Paths = Pick<FileHeader, 'oldPath' | 'newPath' | 'operation'>;

export function gitHeaderPaths(fields: GitHeaderFields): Paths {
  const declared = OPERATIONS.filter(([, ...keys]) => keys.some((key) => key && fields.has(key)));
  if (declared.length > 1)
    throw patchFailure('The header says two of: new, deleted, renamed, copied.', {
      patchLine: lineOf(fields, 'diff --git '),
    });
  const [operation, from, to] = declared[0] ?? ['update'];
  if (from !== undefined && to !== undefined) return movedPaths(fields, operation, from, to);
  return samePath(fields, operation);
}

const OPERATIONS: [FileHeader['operation'], GitHeaderField, GitHeaderField?][] = [
  ['create', 'new file mode '],
  ['delete', 'deleted file mode '],
  ['rename', 'rename from ', 'rename to '],
  ['copy', 'copy from ', 'copy to '],
];

/** The names after `rename` and `copy` have no prefix; those after `---` and `+++` may have one. */
function movedPaths(
  fields: GitHeaderFields,
  operation: FileHeader['operation'],
  from: GitHeaderField,
  to: GitHeaderField,
): Paths {
  const oldPath = nameIn(fields, from);
  const newPath = nameIn(fields, to);
  if (!oldPath || !newPath || oldPath === newPath)
    throw patchFailure(`A ${operation} needs two different names.`, {
      patchLine: lineOf(fields, 'diff --git '),
    });
  const isNamed = (name: string | null | undefined, path: string) =>
    name === undefined || name === path || (name?.[1] === '/' && name.slice(2) === path);
  if (!isNamed(nameIn(fields, '--- '), oldPath)) throw disagreement(fields, '--- ', oldPath);
  if (!isNamed(nameIn(fields, '+++ '), newPath)) throw disagreement(fields, '+++ ', newPath);
  return { oldPath, newPath, operation };
}

function samePath(fields: GitHeaderFields, declared: FileHeader['operation']): Paths {
  const [oldName, newName, path] = headerLine(fields);
  const oldLine = nameIn(fields, '--- ');
  const newLine = nameIn(fields, '+++ ');
  // git also requires a line "new file mode"; models leave it out, and /dev/null is clear enough.
  const isCreated = declared === 'create' || (declared === 'update' && oldLine === null);
  const isDeleted = declared === 'delete' || (declared === 'update' && newLine === null);
  const expected = { old: isCreated ? null : oldName, new: isDeleted ? null : newName };
  if (oldLine !== undefined && oldLine !== expected.old) throw disagreement(fields, '--- ', expected.old);
  if (newLine !== undefined && newLine !== expected.new) throw disagreement(fields, '+++ ', expected.new);
  if (isCreated && isDeleted) throw disagreement(fields, '+++ ', newName);
  if (isCreated) return { oldPath: null, newPath: path, operation: 'create' };
  if (isDeleted) return { oldPath: path, newPath: null, operation: 'delete' };
  return { oldPath: path, newPath: path, operation: 'update' };
}

/** Both names of the `diff --git` line, and the path they share. */
function headerLine(fields: GitHeaderFields): [string, string, string] {
  const { text, patchLine } = fields.get('diff --git ') ?? { text: '', patchLine: 0 };
  const names = gitHeaderNames(text, patchLine);
  const [oldPath, newPath] = names === null ? [] : stripPrefixes(...names, true);
  if (names === null || oldPath === undefined || oldPath !== newPath)
    throw patchFailure(
      `The names in "${text.slice(0, 200)}" disagree, and nothing says that it is a rename.`,
      { patchLine },
    );
  if (oldPath === '') throw patchFailure('The file name is empty.', { patchLine });
  return [...names, oldPath];
}

/** Undefined when the header has no such line, null for `/dev/null`. */
function nameIn(fields: GitHeaderFields, key: GitHeaderField): string | null | undefined {
  const field = fields.get(key);
  return field && patchName(field.text, field.patchLine);
}

function lineOf(fields: GitHeaderFields, key: GitHeaderField): number {
  return fields.get(key)?.patchLine ?? 0;
}

function disagreement(fields: GitHeaderFields, key: GitHeaderField, expected: string | null): Error {
  const found = fields.get(key)?.text.slice(0, 200);
  const expectedName = (expected ?? '/dev/null').slice(0, 200);
  return patchFailure(`The names disagree: "${key}${found}" should name ${expectedName}.`, {
    patchLine: lineOf(fields, key),
  });
}

// The two names on a `diff --git` line, prefixes included; null when the line does not have the same name twice.

/**
 * Names may contain spaces, so only their equal length shows where the first ends. That suffices: this line is needed only
 * where nothing else names the file, and then both names are the same.
 */
function gitHeaderNames(text: string, patchLine: number): [string, string] | null {
  const [oldText, newText] = text.startsWith('"') ? quotedHalves(text) : equalHalves(text);
  if (oldText === undefined || newText === undefined) return null;
  const oldName = patchName(oldText, patchLine);
  const newName = patchName(newText, patchLine);
  return oldName === null || newName === null ? null : [oldName, newName];
}

function equalHalves(text: string): string[] {
  const middle = text.length >> 1;
  const isPair = text.length % 2 === 1 && text[middle] === ' ' && middle > 0;
  return isPair ? [text.slice(0, middle), text.slice(middle + 1)] : [];
}

function quotedHalves(text: string): string[] {
  const rest = unquotePath(text)?.rest;
  if (!rest?.startsWith(' "')) return [];
  return [text.slice(0, text.length - rest.length), rest.slice(1)];
}

/** The lines of a git header, by how they start; collecting stops at the first line that is not part of the header. */
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
