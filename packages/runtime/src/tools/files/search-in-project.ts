// Searches the contents of files, honouring ignore files: the lines that match, or only the files.
import { englishText, phrase, ToolError, visibleLine } from '@codelab/protocol';
import * as z from 'zod/mini';
import { newestFirst } from '../../search/list-paths.ts';
import {
  everyFile,
  fileFilter,
  openScope,
  type SearchRequest,
  type SearchScope,
  withheldBy,
} from '../../search/search-request.ts';
import { defineTool, type RunContext } from '../../tool/define-tool.ts';
import { tellMatches } from './tell-matches.ts';

const Input = () =>
  z.strictObject({
    query: z.string().check(z.minLength(1), z.maxLength(10_000)),
    path: z._default(z.string(), '.'),
    regex: z._default(z.boolean(), false),
    case_sensitive: z._default(z.boolean(), false),
    file_pattern: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
    max_results: z.optional(z.int()),
    /** The files that hold a match, newest first, instead of the lines. */
    files_only: z._default(z.boolean(), false),
    /** How many lines match in each file, instead of the lines. */
    count_only: z._default(z.boolean(), false),
    /** The number of lines shown before and after each match. */
    context: z._default(z.int().check(z.minimum(0), z.maximum(20)), 0),
  });

const Match = () =>
  z.strictObject({
    file: z.string(),
    line: z.int(),
    column: z.int(),
    text: z.string(),
    match: z.string(),
    before: z.optional(z.array(z.string())),
    after: z.optional(z.array(z.string())),
  });

const Output = () =>
  z.strictObject({
    query: z.string(),
    path: z.string(),
    matches: z.array(Match()),
    files: z.optional(z.array(z.strictObject({ path: z.string(), modified: z.string() }))),
    counts: z.optional(z.array(z.strictObject({ path: z.string(), count: z.int() }))),
    total: z.int(),
    truncated: z.boolean(),
    duration_ms: z.int(),
  });

type Input = z.infer<ReturnType<typeof Input>>;
type Output = z.infer<ReturnType<typeof Output>>;

const defaultResults = 100;
const filesPerResult = 10;
const withheld = phrase('note.secretsSkipped');

export const searchInProjectTool = defineTool<Input, Output, undefined>({
  name: 'search_in_project',
  kind: 'search',
  summary:
    'Search the contents of files for a text or, with regex, a pattern; ignored and binary files are left out.',
  input: Input,
  output: Output,

  plan(input, context) {
    checkQuery(input.query);
    using scope = openScope(input.path, context);
    return {
      plan: {
        summary: phrase('plan.search', {
          path: scope.path,
          query: visibleLine(JSON.stringify(input.query.slice(0, 200))),
        }),
        risk: 'low',
        riskReason: phrase('risk.onlyReads'),
        touches: [{ asked: input.path, path: scope.path, access: 'read' }],
        notes: scope.file === undefined ? [withheld] : [],
        basis: [],
      },
      intents: [],
      prepared: undefined,
    };
  },

  async run(input, _prepared, context) {
    const started = performance.now();
    using scope = openScope(input.path, context);
    const result = await find(input, scope, context);
    const duration_ms = Math.round(performance.now() - started);
    return { data: { query: input.query, path: scope.path, ...result, duration_ms }, effects: [] };
  },

  tell({ matches, files, counts, truncated }) {
    const lines =
      files?.map(({ path }) => visibleLine(path)) ??
      counts?.map(({ path, count }) => `${visibleLine(path)}: ${count}`) ??
      tellMatches(matches);
    if (lines.length === 0) return `Nothing matches. ${englishText(withheld)}`;
    return [
      ...lines,
      ...(truncated ? ['[There is more: narrow the search, or raise max_results.]'] : []),
    ].join('\n');
  },
});

type SearchResult = Pick<Output, 'matches' | 'files' | 'counts' | 'total' | 'truncated'>;

async function find(input: Input, scope: SearchScope, context: RunContext): Promise<SearchResult> {
  if (input.files_only) return await findFiles(input, scope, context);
  if (input.count_only) return await countMatches(input, scope, context);
  return await findMatches(input, scope, context);
}

/** Counts over all files that may be read; `max_results` limits only how many files are shown. */
async function countMatches(input: Input, scope: SearchScope, context: RunContext): Promise<SearchResult> {
  const countingInput = { ...input, max_results: context.limits.searchResults, context: 0 };
  const { matches, total, truncated } = await findMatches(countingInput, scope, context);
  const lines = new Map<string, Set<number>>();
  for (const { file, line } of matches) lines.set(file, (lines.get(file) ?? new Set()).add(line));
  const counts = [...lines].map(([path, { size: count }]) => ({ path, count }));
  const page = counts.slice(0, maxResults(input, context));
  return { matches: [], counts: page, total, truncated: truncated || page.length < counts.length };
}

async function findMatches(input: Input, scope: SearchScope, context: RunContext): Promise<SearchResult> {
  const maxHits = maxResults(input, context);
  const { file } = scope;
  const request = requestOf(input, scope, context);
  const { searchLines: searchWorkspaceLines } = await import('../../search/search.ts');
  const result = await searchWorkspaceLines({
    ...{ ...request, maxHits, contextLines: input.context },
    ...(file !== undefined && { input: file }),
  });
  const matches = result.lines.map(({ path, ...rest }) => ({ file: scope.pathOf(path), ...rest }));
  return { matches, total: matches.length + (result.hasMore ? 1 : 0), truncated: result.hasMore };
}

async function findFiles(input: Input, scope: SearchScope, context: RunContext): Promise<SearchResult> {
  if (scope.file !== undefined) return await findInFile(input, scope, context);
  const { query, isRegex, isCaseSensitive, ...request } = requestOf(input, scope, context);
  const { searchPaths } = await import('../../search/search.ts');
  const result = await searchPaths({
    ...request,
    maxPaths: context.limits.searchResults * filesPerResult,
    holding: { query, isRegex, isCaseSensitive },
  });
  const files = newestFirst(scope.directory, result.paths).map(({ path, modified }) => ({
    path: scope.pathOf(path),
    modified,
  }));
  const page = files.slice(0, maxResults(input, context));
  return {
    matches: [],
    files: page,
    total: files.length,
    truncated: result.hasMore || page.length < files.length,
  };
}

async function findInFile(input: Input, scope: SearchScope, context: RunContext): Promise<SearchResult> {
  const { total } = await findMatches({ ...input, max_results: 1 }, scope, context);
  const modified = scope.file?.stat.mtime.toISOString() ?? '';
  const files = total > 0 ? [{ path: scope.path, modified }] : [];
  return { matches: [], files, total: files.length, truncated: false };
}

function requestOf(
  input: Input,
  { directory, pathOf }: SearchScope,
  { workspace, signal, mayRead }: RunContext,
): SearchRequest {
  const { query, regex, case_sensitive, file_pattern } = input;
  return {
    directory,
    root: workspace.root.real,
    query,
    isRegex: regex,
    isCaseSensitive: case_sensitive,
    files: file_pattern === undefined ? everyFile : fileFilter(file_pattern, 'file_pattern'),
    isWithheld: withheldBy((path) => mayRead(pathOf(path))),
    signal,
  };
}

function maxResults({ max_results }: Input, { limits }: RunContext): number {
  const requested = max_results !== undefined && max_results > 0 ? max_results : defaultResults;
  return Math.min(requested, limits.searchResults);
}

function checkQuery(query: string): void {
  if (!/[\0\n]/.test(query)) return;
  throw new ToolError('INVALID_ARGUMENTS', '`query` must be on one line: lines are searched one by one.', {
    field: 'query',
  });
}
