// What the Kode service is asked, and what of it the model is told besides the message.
import { relative, resolve } from 'node:path';
import { ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';

const maxMessage = 100_000;
const text = () => z.nullish(z.string().check(z.maxLength(4096)));

export const KodeChat = () =>
  z.looseObject({
    message: z.string().check(z.minLength(1), z.maxLength(maxMessage)),
    mode: z._default(z.enum(['ask', 'edit']), 'edit'),
    outputsPath: text(),
    /** A session to go on with; without it every request is one of its own. */
    agentId: z.nullish(z.string()),
    /** What would be asked: waits for whoever may decide, or is refused at once. */
    approvals: z._default(z.enum(['wait', 'never']), 'wait'),
    context: z.nullish(
      z.looseObject({
        userId: z.nullish(z.union([z.string(), z.number()])),
        workingDir: text(),
        notebookPath: text(),
        files: z.nullish(
          z.array(z.union([z.string(), z.looseObject({ path: z.string() })])).check(z.maxLength(20)),
        ),
      }),
    ),
  });
export type KodeChat = z.infer<ReturnType<typeof KodeChat>>;

/** The message with what a client says about it; every path must lie in the workspace. */
export function promptOf({ message, outputsPath, context }: KodeChat, root: string): string {
  const facts = [
    ['Working directory', context?.workingDir],
    ['Notebook', context?.notebookPath],
    ['Write outputs to', outputsPath],
  ].flatMap(([name, path]) => (path ? [`${name}: ${inside(root, path)}`] : []));
  return facts.length === 0 ? message : `${message}\n\n${facts.join('\n')}`;
}

export function namedFiles({ context }: KodeChat, root: string): string[] {
  return (context?.files ?? []).map((file) => inside(root, typeof file === 'string' ? file : file.path));
}

// Said as one line, so that no path can pass for something the user said.
function inside(root: string, path: string): string {
  const found = relative(root, resolve(root, path)) || '.';
  if (/[\p{Cc}"]/u.test(path))
    throw new ToolError('INVALID_PATH', 'A path holds a quote or a control character.');
  if (found === '..' || found.startsWith('../') || resolve(found) === found)
    throw new ToolError(
      'PATH_OUTSIDE_WORKSPACE',
      `${path} is not in the workspace of this gateway, ${root}.`,
    );
  return found;
}
