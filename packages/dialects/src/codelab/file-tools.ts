// The tools of seed 000 for files and folders. Seed 004 has the same ones, with another spelling of paths.
import { ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { Json, WireTool } from '../dialect.ts';
import { coreArguments, corePath, sameArguments, spelledEntries, spelledPlace } from '../shared/spelling.ts';
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

export function readFromWire(wireResult: Json, { encoding = 'utf-8' }: Json): Json {
  return { ...wireResult, encoding, has_bom: false, size: wireResult.size ?? bytesOf(wireResult.content) };
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

export function writtenFromWire(wireResult: Json, { content }: Json): Json {
  const nothing = { additions: 0, deletions: 0, diff: '', structured_patch: [] };
  return { operation: 'updated', bytes_written: bytesOf(content), ...nothing, ...wireResult };
}

type Line = z.ZodMiniOptional<z.ZodMiniNumberFormat>;

export function lineRangeInput(): Record<'start_line' | 'end_line' | 'max_lines', Line> {
  const line = z.optional(z.int().check(z.positive()));
  return { start_line: line, end_line: line, max_lines: line };
}

/** Forms of other harnesses: a span as a list, a first line 0, and -1 for the end of the file. */
export function lineForms({ view_range, ...args }: Json): Json {
  const span = Array.isArray(view_range) && args.start_line === undefined ? view_range : undefined;
  const range: Json =
    span === undefined
      ? present({ ...args, view_range })
      : { ...args, start_line: span[0], end_line: span[1] };
  if (Number(range.start_line) === 0) range.start_line = 1;
  if (Number(range.end_line) === -1) delete range.end_line;
  return range;
}

type LineRange = { start_line?: number; end_line?: number; max_lines?: number };

/** Lines from 1, inclusive, or a number of lines; the core takes only a start and a count. */
export function lineRange(args: Json): Json {
  const { start_line, end_line, max_lines } = args as LineRange;
  if (end_line === undefined) return { start_line, max_lines };
  if (max_lines !== undefined) throw wrong('can’t be combined with `max_lines`; send one of them');
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
    toWire: (data, wireArgs) => ({
      path: wireArgs.path ?? '.',
      files: spelledEntries(data, wireArgs).map(({ modified, ...entry }) =>
        present({ ...entry, modified: options.showsModified ? modified : undefined }),
      ),
      total: data.total,
      truncated: data.truncated,
    }),
    fromWire(wireResult, { path }) {
      const entries = listOf(wireResult.entries ?? wireResult.files).map((entry) =>
        entryOf(objectOf(entry), path),
      );
      return { entries, total: wireResult.total ?? entries.length, truncated: wireResult.truncated ?? false };
    },
  };
}

function entryOf({ name, path, type, size, modified, is_directory }: Json, listed: unknown): Json {
  const kind = type ?? (is_directory === true ? 'directory' : 'file');
  const ownPath = corePath(path ?? name);
  const base = ownPath.split('/').findLast((part) => part !== '') ?? ownPath;
  const below = typeof listed === 'string' && listed !== '.' && listed !== '' ? `${corePath(listed)}/` : '';
  const place = ownPath.startsWith(below) ? ownPath : `${below}${ownPath}`;
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

/** Context lines, only files, or only counts, under the names that models know. */
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
    toWire(data, wireArgs) {
      const place = spelledPlace(data, wireArgs);
      const matches = (data.matches as WireMatch[]).map((match) =>
        spelling.match({ ...match, file: place(match.file) }),
      );
      const named = (list: unknown): unknown =>
        Array.isArray(list) ? list.map((item) => ({ ...item, path: place(item.path) })) : undefined;
      const rest = { [spelling.total]: data.total, truncated: data.truncated };
      const forms = present({ files: named(data.files), counts: named(data.counts) });
      return { query: data.query, matches, ...forms, ...rest };
    },
    fromWire(wireResult, { path }) {
      const matches = listOf(wireResult.matches).map((match) => matchOf(objectOf(match)));
      const total = wireResult.total ?? wireResult.total_matches ?? matches.length;
      const truncated = wireResult.truncated ?? false;
      return {
        path: path ?? '.',
        matches,
        total,
        truncated,
        duration_ms: whole(wireResult.duration_ms) ?? 0,
      };
    },
  };
}

/** In other harnesses a `pattern` is a regular expression; `-i` is grep's name for ignoring case. */
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
    toWire: (data, wireArgs) => ({ path: wireArgs.path, created: data.created }),
    fromWire: (wireResult) => ({ created: true, ...wireResult }),
  },
  {
    name: 'delete_file',
    tool: 'delete_file',
    input: place,
    toCore: sameArguments,
    toWire: (data, wireArgs) => ({ ...data, path: wireArgs.path }),
    fromWire: (wireResult) => ({
      ...{ deleted: true, files: 1, bytes: 0, recoverable: false, trash_id: '' },
      ...wireResult,
    }),
  },
  {
    name: 'move_file',
    tool: 'move_file',
    input: () => z.strictObject({ from: z.string(), to: z.string(), overwrite: z.optional(z.boolean()) }),
    toCore: sameArguments,
    toWire: (data, wireArgs) => ({ from: wireArgs.from, to: wireArgs.to, moved: data.moved }),
    fromWire: (wireResult) => ({ moved: true, ...wireResult }),
  },
];
