// Seed 000's tools for files and folders. Seed 004 has the same ones, with paths spelled otherwise.
import { ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { coreArguments, corePath, sameArguments, spelledEntries, spelledPlace } from '../shared/paths.ts';
import { bytesOf, listOf, objectOf, present, whole } from '../shared/values.ts';

export const readFileRow: WireTool = {
  name: 'read_file',
  tool: 'read_file',
  input: () => z.strictObject({ path: z.string(), ...lineRangeInput() }),
  reshape: lineForms,
  toCore: (args, { paths }) => present({ path: paths.toCore(args.path as string), ...lineRange(args) }),
  toWire: ({ content, encoding, start_line, end_line, has_more }) =>
    present({ content, encoding, start_line, end_line, has_more }),
  fromWire: readFromWire,
};

export function readFromWire(said: Json, { encoding = 'utf-8' }: Json): Json {
  return { ...said, encoding, has_bom: false, size: said.size ?? bytesOf(said.content) };
}

export const writeFileRow: WireTool = {
  name: 'write_file',
  tool: 'write_file',
  input: () =>
    z.strictObject({ path: z.string(), content: z.string(), keep_line_endings: z.optional(z.boolean()) }),
  toCore: sameArguments,
  toWire: ({ bytes_written }) => ({ success: true, bytes_written }),
  fromWire: writtenFromWire,
};

export function writtenFromWire(said: Json, { content }: Json): Json {
  const nothing = { additions: 0, deletions: 0, diff: '', structured_patch: [] };
  return { operation: 'updated', bytes_written: bytesOf(content), ...nothing, ...said };
}

type Line = z.ZodMiniOptional<z.ZodMiniNumberFormat>;

export function lineRangeInput(): Record<'start_line' | 'end_line' | 'max_lines', Line> {
  const line = z.optional(z.int().check(z.positive()));
  return { start_line: line, end_line: line, max_lines: line };
}

/** A span as a list, a first line 0, and -1 for the end of the file, as other harnesses have them. */
export function lineForms({ view_range, ...args }: Json): Json {
  const span = Array.isArray(view_range) && args.start_line === undefined ? view_range : undefined;
  const said: Json =
    span === undefined
      ? present({ ...args, view_range })
      : { ...args, start_line: span[0], end_line: span[1] };
  if (Number(said.start_line) === 0) said.start_line = 1;
  if (Number(said.end_line) === -1) delete said.end_line;
  return said;
}

type LineRange = { start_line?: number; end_line?: number; max_lines?: number };

/** Lines from 1, inclusive, or a count of lines: the core knows only a start and a count. */
export function lineRange(args: Json): Json {
  const { start_line, end_line, max_lines } = args as LineRange;
  if (end_line === undefined) return { start_line, max_lines };
  if (max_lines !== undefined) throw wrong('and `max_lines` say the same; send one of them');
  const first = start_line ?? 1;
  if (end_line < first) throw wrong('comes before `start_line`');
  return { start_line: first, max_lines: end_line - first + 1 };
}

function wrong(fault: string): ToolError {
  return new ToolError('INVALID_ARGUMENTS', `read_file: \`end_line\` ${fault}.`, { field: 'end_line' });
}

export function listFilesRow(options: { showsModified: boolean }): WireTool {
  return {
    name: 'list_files',
    tool: 'list_files',
    input: () =>
      z.strictObject({
        path: z.optional(z.string()),
        recursive: z.optional(z.boolean()),
        pattern: z.optional(z.string()),
        include_hidden: z.optional(z.boolean()),
        max_entries: z.optional(z.int().check(z.positive())),
      }),
    toCore: sameArguments,
    toWire: (data, asked) => ({
      path: asked.path ?? '.',
      files: spelledEntries(data, asked).map(({ modified, ...entry }) =>
        present({ ...entry, modified: options.showsModified ? modified : undefined }),
      ),
      total: data.total,
      truncated: data.truncated,
    }),
    fromWire(said, { path }) {
      const entries = listOf(said.entries ?? said.files).map((one) => entryOf(objectOf(one), path));
      return { entries, total: said.total ?? entries.length, truncated: said.truncated ?? false };
    },
  };
}

function entryOf({ name, path, type, size, modified, is_directory }: Json, listed: unknown): Json {
  const kind = type ?? (is_directory === true ? 'directory' : 'file');
  const own = corePath(path ?? name);
  const base = own.split('/').findLast((part) => part !== '') ?? own;
  const below = typeof listed === 'string' && listed !== '.' && listed !== '' ? `${corePath(listed)}/` : '';
  const place = own.startsWith(below) ? own : `${below}${own}`;
  const facts = { ...(size != null && { size }), ...(modified != null && { modified }) };
  return { name: name ?? base, path: place, type: kind, ...facts };
}

export type WireMatch = {
  file: string;
  line: number;
  column: number;
  text: string;
  match: string;
  before?: string[];
  after?: string[];
};

/** Seeds 000 and 004 call the tool and the parts of a match differently. */
type SearchSpelling = {
  name: string;
  match(match: WireMatch): Json;
  total: string;
  /** Forms of the answer beyond the wire's own. */
  more?(): Record<string, z.ZodMiniType>;
};

const outputModes = ['content', 'files_with_matches', 'count'] as const;

/** The lines around a match, only the files, or only how many: under the names that models know. */
function answerForms(): Record<string, z.ZodMiniType> {
  return {
    context: z.optional(z.int().check(z.minimum(0), z.maximum(20))),
    output_mode: z.optional(z.enum(outputModes)),
  };
}

function withForms({ output_mode, ...args }: Json): Json {
  if (output_mode === undefined || output_mode === 'content') return args;
  return { ...args, [output_mode === 'count' ? 'count_only' : 'files_only']: true };
}

export function searchRow(spelling: SearchSpelling): WireTool {
  return {
    name: spelling.name,
    tool: 'search_in_project',
    input: () =>
      z.strictObject({
        query: z.string(),
        path: z.optional(z.string()),
        case_sensitive: z.optional(z.boolean()),
        regex: z.optional(z.boolean()),
        file_pattern: z.optional(z.string()),
        max_results: z.optional(z.int()),
        ...spelling.more?.(),
      }),
    reshape: searchForms,
    toCore: (args, { paths }) => coreArguments(withForms(args), paths),
    toWire(data, asked) {
      const place = spelledPlace(data, asked);
      const matches = (data.matches as WireMatch[]).map((one) =>
        spelling.match({ ...one, file: place(one.file) }),
      );
      const named = (list: unknown): unknown =>
        Array.isArray(list) ? list.map((one) => ({ ...one, path: place(one.path) })) : undefined;
      const rest = { [spelling.total]: data.total, truncated: data.truncated };
      const forms = present({ files: named(data.files), counts: named(data.counts) });
      return { query: data.query, matches, ...forms, ...rest };
    },
    fromWire(said, { path }) {
      const matches = listOf(said.matches).map((one) => matchOf(objectOf(one)));
      const total = said.total ?? said.total_matches ?? matches.length;
      const truncated = said.truncated ?? false;
      return { path: path ?? '.', matches, total, truncated, duration_ms: whole(said.duration_ms) ?? 0 };
    },
  };
}

/** Where others take a `pattern`, it is an expression; `-i` is what grep calls it. */
function searchForms({ pattern, '-i': isInsensitive, ...args }: Json): Json {
  const flag =
    typeof isInsensitive === 'boolean' ? { case_sensitive: !isInsensitive } : { '-i': isInsensitive };
  const isPattern = typeof pattern === 'string' && args.query === undefined;
  return present({ ...flag, ...(isPattern ? { regex: true, query: pattern } : { pattern }), ...args });
}

export const searchInProjectRow: WireTool = searchRow({
  name: 'search_in_project',
  match: ({ file, line, column, text, before, after }) =>
    present({ file, line, column, text, before, after }),
  total: 'total',
  more: answerForms,
});

function matchOf({ file, line, column, text, match, matched_text, line_content }: Json): Json {
  const shown = text ?? line_content ?? '';
  return { file: corePath(file), line, column: column ?? 1, text: shown, match: match ?? matched_text ?? '' };
}

const place = () => z.strictObject({ path: z.string(), recursive: z.optional(z.boolean()) });

export const folderTools: readonly WireTool[] = [
  {
    name: 'create_directory',
    tool: 'create_directory',
    input: place,
    toCore: sameArguments,
    toWire: (data, asked) => ({ path: asked.path, created: data.created }),
    fromWire: (said) => ({ created: true, ...said }),
  },
  {
    name: 'delete_file',
    tool: 'delete_file',
    input: place,
    toCore: sameArguments,
    toWire: (data, asked) => ({ ...data, path: asked.path }),
    fromWire: (said) => ({
      ...{ deleted: true, files: 1, bytes: 0, recoverable: false, trash_id: '' },
      ...said,
    }),
  },
  {
    name: 'move_file',
    tool: 'move_file',
    input: () => z.strictObject({ from: z.string(), to: z.string(), overwrite: z.optional(z.boolean()) }),
    toCore: sameArguments,
    toWire: (data, asked) => ({ from: asked.from, to: asked.to, moved: data.moved }),
    fromWire: (said) => ({ moved: true, ...said }),
  },
];
