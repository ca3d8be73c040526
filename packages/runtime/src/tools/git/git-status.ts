// Differences between the last commit, the index and the files.
import { visibleLine } from '@codelab/protocol';
import * as z from 'zod/mini';
import { planGitReading } from '../../git/read/plan-reading.ts';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () => z.strictObject({ path: z._default(z.string(), '.') });

const Entry = () =>
  z.strictObject({
    path: z.string(),
    index: z.string(),
    worktree: z.string(),
    renamed_from: z.optional(z.string()),
  });

const Output = () =>
  z.strictObject({
    branch: z.nullable(z.string()),
    upstream: z.optional(z.string()),
    ahead: z.int(),
    behind: z.int(),
    clean: z.boolean(),
    entries: z.array(Entry()),
    total: z.int(),
    truncated: z.boolean(),
  });

export const gitStatusTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  string
>({
  name: 'git.status',
  kind: 'read',
  summary: 'Show the branch and which files are changed, staged, in conflict or unknown to git.',
  input: Input,
  output: Output,

  plan: ({ path: requestedPath }, context) => planGitReading(requestedPath, context, 'status'),

  async run(_input, path, { workspace, limits, signal }) {
    const { readStatus } = await import('../../git/read/read-status.ts');
    const { filters: _, entries, ...branchState } = await readStatus({ workspace, signal, paths: [path] });
    const total = entries.length;
    const isLong = total > limits.listEntries;
    const page = isLong ? entries.slice(0, limits.listEntries) : entries;
    return {
      data: { ...branchState, clean: total === 0, entries: page, total, truncated: isLong },
      effects: [],
    };
  },

  tell: ({ branch, upstream, ahead, behind, entries, total, truncated }) =>
    [
      branch === null ? 'No branch is checked out.' : `On branch ${visibleLine(branch)}.`,
      ...(upstream === undefined ? [] : [`${ahead} ahead of ${visibleLine(upstream)}, ${behind} behind.`]),
      ...(total === 0 ? ['Nothing has changed.'] : []),
      ...entries.map(
        ({ index, worktree, path, renamed_from }) =>
          `${index}${worktree} ${visibleLine(path)}${renamed_from === undefined ? '' : ` (was ${visibleLine(renamed_from)})`}`,
      ),
      ...(truncated ? [`[…${total - entries.length} more]`] : []),
    ].join('\n'),
});
