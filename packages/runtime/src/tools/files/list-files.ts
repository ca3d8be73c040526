// Lists a directory, or the tree below it, in a stable order. Links are listed and never followed.
import { phrase, ToolError, visibleLine } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool, type PlanContext } from '../../tool/define-tool.ts';
import type { Directory } from '../../workspace/directory.ts';
import { guarded } from '../../workspace/fault.ts';
import { compileGlob } from '../../workspace/trees/glob.ts';
import { type ListedEntry, listTree } from '../../workspace/trees/list-tree.ts';

const Input = () =>
  z.strictObject({
    path: z._default(z.string(), '.'),
    recursive: z._default(z.boolean(), false),
    pattern: z.optional(z.string().check(z.minLength(1), z.maxLength(1000))),
    include_hidden: z._default(z.boolean(), false),
    max_entries: z.optional(z.int().check(z.positive())),
  });

const Entry = () =>
  z.strictObject({
    name: z.string(),
    path: z.string(),
    type: z.enum(['file', 'directory', 'symlink', 'other']),
    /** The type of a link's target; missing when it does not exist or is outside the workspace. */
    target: z.optional(z.enum(['file', 'directory', 'other'])),
    size: z.optional(z.int()),
    modified: z.optional(z.string()),
  });

const Output = () =>
  z.strictObject({
    path: z.string(),
    entries: z.array(Entry()),
    total: z.int(),
    truncated: z.boolean(),
  });

export const listFilesTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  undefined
>({
  name: 'list_files',
  kind: 'read',
  summary: 'List a directory as a tree, or with recursive everything below it; pattern is a glob.',
  input: Input,
  output: Output,

  plan(input, context) {
    using place = openDirectory(input.path, context);
    return {
      plan: {
        summary: phrase(input.recursive ? 'plan.listBelow' : 'plan.list', { path: place.path }),
        risk: 'low',
        riskReason: phrase('risk.onlyNames'),
        touches: [{ asked: input.path, path: place.path, access: 'read' }],
        notes: [],
        basis: [],
      },
      intents: [],
      prepared: undefined,
    };
  },

  run(input, _prepared, context) {
    const matches = input.pattern === undefined ? () => true : globTest(input.pattern);
    using place = openDirectory(input.path, context);
    const maxEntries = Math.min(input.max_entries ?? context.limits.listEntries, context.limits.listEntries);
    const tree = guarded(input.path, () =>
      listTree(place.directory, {
        prefix: place.path === '.' ? '' : `${place.path}/`,
        recursive: input.recursive,
        includeHidden: input.include_hidden,
        wanted: matches,
        maxEntries,
        signal: context.signal,
      }),
    );
    const entries = tree.entries.map((entry) => withTarget(entry, context));
    return { data: { path: place.path, ...tree, entries }, effects: [] };
  },

  tell: ({ path, entries, total, truncated }) => {
    if (entries.length === 0) return `Nothing is listed in ${path}. Hidden files need include_hidden.`;
    return [
      ...treeLines(path, entries),
      ...(truncated
        ? [`[${entries.length} of ${total} entries; list a folder below, or give a pattern]`]
        : []),
    ].join('\n');
  },
});

/** One line per name, indented by two blanks per level; a folder that is not itself an entry is printed before its content. */
function treeLines(folder: string, entries: readonly Entry[]): string[] {
  const prefix = folder === '.' ? '' : `${folder}/`;
  const lines: string[] = [];
  let open: string[] = [];
  for (const entry of entries) {
    const names = entry.path.slice(prefix.length).split('/');
    const folders = names.slice(0, -1);
    const shared = folders.findIndex((name, i) => open[i] !== name);
    const sharedDepth = shared < 0 ? folders.length : shared;
    for (let i = sharedDepth; i < folders.length; i++) lines.push(`${'  '.repeat(i)}${folders[i]}/`);
    const isFolder = entry.type === 'directory' || entry.target === 'directory';
    lines.push(`${'  '.repeat(folders.length)}${visibleLine(names.at(-1) ?? '')}${isFolder ? '/' : ''}`);
    open = entry.type === 'directory' ? names : folders;
  }
  return lines;
}

type Entry = z.infer<ReturnType<typeof Entry>>;

function withTarget(entry: ListedEntry, { workspace }: PlanContext): Entry {
  if (entry.type !== 'symlink') return entry;
  try {
    using place = workspace.locate(entry.path, { followLast: true, access: 'read', pathChars: 4096 });
    const { stat } = place;
    if (stat === undefined) return entry;
    return { ...entry, target: stat.isDirectory() ? 'directory' : stat.isFile() ? 'file' : 'other' };
  } catch (error) {
    // A link that leads out, or in a circle, leads nowhere for a tool.
    if (error instanceof ToolError) return entry;
    throw error;
  }
}

type OpenPlace = Disposable & { path: string; directory: Directory };

function openDirectory(requestedPath: string, { workspace, limits }: PlanContext): OpenPlace {
  const place = workspace.locate(requestedPath, {
    followLast: true,
    access: 'read',
    pathChars: limits.pathChars,
  });
  try {
    if (place.stat === undefined)
      throw new ToolError('FILE_NOT_FOUND', `Directory not found: ${requestedPath}`);
    if (!place.stat.isDirectory())
      throw new ToolError('NOT_A_DIRECTORY', `${requestedPath} is not a directory.`);
    const directory = guarded(requestedPath, () =>
      place.name === '.' ? place.parent.again() : place.parent.openBelow(place.name),
    );
    return { path: place.path, directory, [Symbol.dispose]: () => directory[Symbol.dispose]() };
  } finally {
    place[Symbol.dispose]();
  }
}

// A pattern without a slash is matched against names, a pattern with one against paths below the listed directory.
function globTest(pattern: string): (path: string, name: string) => boolean {
  if (pattern.includes('\0') || pattern.startsWith('/') || pattern.split('/').includes('..')) {
    throw new ToolError('INVALID_ARGUMENTS', '`pattern` must be a relative glob without `..`.', {
      field: 'pattern',
    });
  }
  const test = compileGlob(pattern);
  return pattern.includes('/') ? (path) => test(path) : (_path, name) => test(name);
}
