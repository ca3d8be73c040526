import type { DiffFile } from '@codelab/protocol';
// The name of a file in a diff and what happens to the file, from its header. Git quotes names that are not plain.

export type FileChange = {
  path: string;
  /** Where it comes from, when it is renamed or copied. */
  from: string | undefined;
  op: 'create' | 'update' | 'delete' | 'rename' | 'copy';
};

export function fileChange({ header }: DiffFile): FileChange {
  const old = sideName(header, '--- ');
  const now = sideName(header, '+++ ');
  const from = named(header, 'rename from ') ?? named(header, 'copy from ');
  const to = named(header, 'rename to ') ?? named(header, 'copy to ');
  const path = to ?? now ?? old ?? gitName(header) ?? '';
  return { path, from, op: opOf(header, old, now) };
}

function opOf(header: readonly string[], old: string | undefined, now: string | undefined): FileChange['op'] {
  if (header.some((line) => line.startsWith('rename from '))) return 'rename';
  if (header.some((line) => line.startsWith('copy from '))) return 'copy';
  const hasSides = old !== undefined || now !== undefined;
  if (header.some((line) => line.startsWith('new file mode ')) || (hasSides && old === undefined))
    return 'create';
  if (header.some((line) => line.startsWith('deleted file mode ')) || (hasSides && now === undefined))
    return 'delete';
  return 'update';
}

/** Undefined for a side that is not there. */
function sideName(header: readonly string[], start: string): string | undefined {
  const name = named(header, start);
  return name === undefined || name === '/dev/null' ? undefined : name.replace(/^[ab]\//, '');
}

function named(header: readonly string[], start: string): string | undefined {
  const line = header.find((headerLine) => headerLine.startsWith(start));
  return line === undefined ? undefined : unquoted(line.slice(start.length));
}

function gitName(header: readonly string[]): string | undefined {
  const line = header.find((headerLine) => headerLine.startsWith('diff --git '))?.slice('diff --git '.length);
  if (line === undefined) return undefined;
  const quoted = /"b\/(?:[^"\\]|\\.)*"$/.exec(line)?.[0];
  if (quoted !== undefined) return unquoted(quoted).slice(2);
  // Both names are the same here: a change of the name stands in a line of its own.
  const half = line.slice((line.length + 1) / 2);
  return half.replace(/^b\//, '');
}

const escapes: Readonly<Record<string, number>> = { a: 7, b: 8, t: 9, n: 10, v: 11, f: 12, r: 13 };

function unquoted(name: string): string {
  const inner = /^"((?:[^"\\]|\\.)*)"/s.exec(name)?.[1];
  // A tab ends the name, which may contain blanks; a date may follow.
  if (inner === undefined) return name.replace(/\t.*$/s, '');
  const bytes = [...inner.matchAll(/\\([0-7]{1,3}|.)|([^\\])/gsu)].flatMap(([, escaped, plain]) => {
    if (plain !== undefined) return [...new TextEncoder().encode(plain)];
    if (escaped === undefined) return [];
    if (/^[0-7]/.test(escaped)) return [Number.parseInt(escaped, 8)];
    return escapes[escaped] ?? [...new TextEncoder().encode(escaped)];
  });
  return new TextDecoder().decode(new Uint8Array(bytes));
}
