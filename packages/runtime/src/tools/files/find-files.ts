// Finds files by a glob over their paths, honouring ignore files.
import { phrase, ToolError, visibleLine } from '@codelab/protocol';
import * as z from 'zod/mini';
import { newestFirst } from '../../search/list-paths.ts';
import { openScope, pathFilter } from '../../search/search-request.ts';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({
    pattern: z.string().check(z.minLength(1), z.maxLength(1000)),
    path: z._default(z.string(), '.'),
    order: z._default(z.enum(['path', 'newest']), 'path'),
    max_results: z.optional(z.int()),
  });

const Output = () =>
  z.strictObject({
    pattern: z.string(),
    path: z.string(),
    files: z.array(z.string()),
    total: z.int(),
    truncated: z.boolean(),
    duration_ms: z.int(),
  });

const maxFound = 100_000;

export const findFilesTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  undefined
>({
  name: 'find_files',
  kind: 'search',
  summary: 'Find files by a glob such as src/**/*.ts; ignored files are left out.',
  input: Input,
  output: Output,

  plan({ pattern, path: requestedPath }, context) {
    pathFilter(pattern, 'pattern');
    using scope = openScope(requestedPath, context);
    if (scope.file !== undefined)
      throw new ToolError('NOT_A_DIRECTORY', `${requestedPath} is not a directory.`);
    return {
      plan: {
        summary: phrase('plan.find', { pattern: visibleLine(pattern), path: scope.path }),
        risk: 'low',
        riskReason: phrase('risk.onlyNames'),
        touches: [{ asked: requestedPath, path: scope.path, access: 'read' }],
        notes: [],
        basis: [],
      },
      intents: [],
      prepared: undefined,
    };
  },

  async run({ pattern, path, order, max_results }, _prepared, context) {
    const started = performance.now();
    using scope = openScope(path, context);
    const { searchPaths } = await import('../../search/search.ts');
    const result = await searchPaths({
      directory: scope.directory,
      root: context.workspace.root.real,
      files: pathFilter(pattern, 'pattern'),
      isWithheld: () => false,
      signal: context.signal,
      maxPaths: maxFound,
    });
    const { searchResults } = context.limits;
    const limit = Math.min(
      max_results !== undefined && max_results > 0 ? max_results : searchResults,
      searchResults,
    );
    const ordered =
      order === 'path' ? result.paths : newestFirst(scope.directory, result.paths).map((file) => file.path);
    const files = ordered.slice(0, limit).map(scope.pathOf);
    const truncated = result.hasMore || files.length < ordered.length;
    const duration_ms = Math.round(performance.now() - started);
    return {
      data: { pattern, path: scope.path, files, total: ordered.length, truncated, duration_ms },
      effects: [],
    };
  },

  tell: ({ files, truncated }) =>
    files.length === 0
      ? 'No file matches.'
      : [...files.map(visibleLine), ...(truncated ? ['[…more]'] : [])].join('\n'),
});
