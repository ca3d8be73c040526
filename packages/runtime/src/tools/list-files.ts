// Lists a directory, or the tree below it, in a stable order. Links are named, never followed.
import { ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool, type PlanContext } from '../tool/define-tool.ts';
import type { Directory } from '../workspace/directory.ts';
import { guarded } from '../workspace/fault.ts';
import { compileGlob } from '../workspace/glob.ts';
import { type Listed, listTree } from '../workspace/list-tree.ts';

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
    /** What a link leads to; missing when that is not there or outside of the workspace. */
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

export const listFiles = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  undefined
>({
  name: 'list_files',
  kind: 'read',
  summary: 'List a directory, or with recursive the tree below it; pattern is a glob.',
  input: Input,
  output: Output,

  plan(input, context) {
    using place = openDirectory(input.path, context);
    return {
      plan: {
        summary: `List ${place.path}${input.recursive ? ' and everything below' : ''}`,
        risk: 'low',
        riskReason: 'It only reads names.',
        touches: [{ asked: input.path, path: place.path, access: 'read' }],
        notes: [],
        basis: [],
      },
      intents: [],
      prepared: undefined,
    };
  },

  run(input, _prepared, context) {
    const wanted = input.pattern === undefined ? () => true : globTest(input.pattern);
    using place = openDirectory(input.path, context);
    const maxEntries = Math.min(input.max_entries ?? context.limits.listEntries, context.limits.listEntries);
    const listed = guarded(input.path, () =>
      listTree(place.directory, {
        prefix: place.path === '.' ? '' : `${place.path}/`,
        recursive: input.recursive,
        includeHidden: input.include_hidden,
        wanted,
        maxEntries,
        signal: context.signal,
      }),
    );
    const entries = listed.entries.map((entry) => withTarget(entry, context));
    return { data: { path: place.path, ...listed, entries }, effects: [] };
  },

  tell: ({ entries, truncated }) =>
    [
      ...entries.map((entry) =>
        entry.type === 'directory' || entry.target === 'directory' ? `${entry.path}/` : entry.path,
      ),
      ...(truncated ? ['[…more]'] : []),
    ].join('\n'),
});

type Entry = z.infer<ReturnType<typeof Entry>>;

function withTarget(entry: Listed, { workspace }: PlanContext): Entry {
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

function openDirectory(asked: string, { workspace, limits }: PlanContext): OpenPlace {
  const place = workspace.locate(asked, { followLast: true, access: 'read', pathChars: limits.pathChars });
  try {
    if (place.stat === undefined) throw new ToolError('FILE_NOT_FOUND', `Directory not found: ${asked}`);
    if (!place.stat.isDirectory()) throw new ToolError('NOT_A_DIRECTORY', `${asked} is not a directory.`);
    const directory = guarded(asked, () =>
      place.name === '.' ? place.parent.again() : place.parent.openBelow(place.name),
    );
    return { path: place.path, directory, [Symbol.dispose]: () => directory[Symbol.dispose]() };
  } finally {
    place[Symbol.dispose]();
  }
}

// Without a slash the pattern speaks about names, with one about paths below the listed directory.
function globTest(pattern: string): (path: string, name: string) => boolean {
  if (pattern.includes('\0') || pattern.startsWith('/') || pattern.split('/').includes('..')) {
    throw new ToolError('INVALID_ARGUMENTS', '`pattern` must be a relative glob without `..`.', {
      field: 'pattern',
    });
  }
  const test = compileGlob(pattern);
  return pattern.includes('/') ? (path) => test(path) : (_path, name) => test(name);
}
