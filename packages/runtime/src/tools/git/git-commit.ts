// Commits what is staged, or exactly the named files as they are now.
import { ToolError, visibleLine } from '@codelab/protocol';
import * as z from 'zod/mini';
import type { PreparedCommit } from '../../git/commit.ts';
import { defineTool } from '../../tool/define-tool.ts';

const Input = () =>
  z.strictObject({
    message: z.string(),
    files: z.optional(z.array(z.string()).check(z.maxLength(1000))),
  });

export const commitOutput = () =>
  z.strictObject({
    hash: z.string(),
    branch: z.nullable(z.string()),
    files_committed: z.int(),
    insertions: z.int(),
    deletions: z.int(),
  });

export type CommitData = z.infer<ReturnType<typeof commitOutput>>;

// A message of this size fits into one write to git, so git never reads half a message.
const maxMessageBytes = 64 * 1024;

export const gitCommitTool = defineTool<z.infer<ReturnType<typeof Input>>, CommitData, PreparedCommit>({
  name: 'git.commit',
  kind: 'execute',
  summary: 'Commit what is staged, or exactly the given files; hooks are not run.',
  input: Input,
  output: commitOutput,

  async plan({ message, files }, context) {
    checkMessage(message);
    const { planCommit } = await import('../../git/commit.ts');
    return await planCommit({ message, files }, context);
  },

  async run(_input, prepared, context) {
    const { makeCommit } = await import('../../git/commit.ts');
    return { data: await makeCommit(prepared, context), effects: [] };
  },

  tell: tellCommitted,
});

export function tellCommitted({ hash, branch, ...counts }: CommitData): string {
  const { files_committed: files, insertions, deletions } = counts;
  return `Committed ${hash.slice(0, 7)}${branch === null ? '' : ` to ${visibleLine(branch)}`}: ${files} files, +${insertions} -${deletions}.`;
}

export function checkMessage(message: string): void {
  const fault = faultOf(message);
  if (fault === undefined) return;
  throw new ToolError('INVALID_ARGUMENTS', `The \`message\` ${fault}. Say what the commit does.`, {
    field: 'message',
  });
}

function faultOf(message: string): string | undefined {
  if (message.trim() === '') return 'is empty';
  if (message.includes('\0') || !message.isWellFormed()) return 'holds what is no text';
  if (Buffer.byteLength(message) > maxMessageBytes) return `has more than ${maxMessageBytes} bytes`;
  return undefined;
}
