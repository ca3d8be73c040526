// The newest commits, of the whole workspace or of one path.
import { visible, visibleLine } from '@codelab/protocol';
import * as z from 'zod/mini';
import { planGitReading } from '../../git/read/plan-reading.ts';
import { defineTool } from '../../tool/define-tool.ts';

const maxCommits = 1000;

const Input = () =>
  z.strictObject({
    limit: z._default(z.int().check(z.positive(), z.lte(maxCommits)), 20),
    path: z.optional(z.string()),
  });

const Commit = () =>
  z.strictObject({
    hash: z.string(),
    author: z.string(),
    email: z.string(),
    date: z.string(),
    subject: z.string(),
    body: z.string(),
  });

const Output = () => z.strictObject({ commits: z.array(Commit()) });

export const gitLogTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  string
>({
  name: 'git.log',
  kind: 'read',
  summary: 'Show the newest commits, of everything or of one path.',
  input: Input,
  output: Output,

  plan: ({ path: requestedPath = '.' }, context) => planGitReading(requestedPath, context, 'history'),

  async run({ limit }, path, { workspace, limits, signal }) {
    const { readLog } = await import('../../git/read/read-log.ts');
    const commits = await readLog({ workspace, signal, limit, path, maxBytes: limits.diffBytes });
    return { data: { commits }, effects: [] };
  },

  tell: ({ commits }) =>
    commits.length === 0
      ? 'There are no commits.'
      : commits
          .map(({ hash, author, date, subject, body }) =>
            [
              `${hash} ${date} ${visibleLine(author)}`,
              visibleLine(subject),
              ...(body ? [visible(body)] : []),
            ].join('\n'),
          )
          .join('\n\n'),
});
