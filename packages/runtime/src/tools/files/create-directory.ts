// Makes a directory, with the ones above it.
import { phrase, ToolError } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool } from '../../tool/define-tool.ts';
import { type Change, intentsOf } from '../../workspace/commit/change.ts';
import { commitChanges } from '../../workspace/commit/commit-changes.ts';
import { missingDirectories } from '../../workspace/text-files.ts';

const Input = () => z.strictObject({ path: z.string(), recursive: z._default(z.boolean(), true) });
const Output = () => z.strictObject({ path: z.string(), created: z.boolean() });

export const createDirectoryTool = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  { path: string; changes: Change[] }
>({
  name: 'create_directory',
  kind: 'edit',
  summary: 'Create a directory and the ones above it.',
  input: Input,
  output: Output,

  plan({ path: requestedPath, recursive }, { workspace, limits }) {
    using place = workspace.locate(requestedPath, {
      followLast: true,
      access: 'create',
      pathChars: limits.pathChars,
    });
    const { path, stat, missing } = place;
    if (stat !== undefined && !stat.isDirectory())
      throw new ToolError('ALREADY_EXISTS', `${requestedPath} exists and is not a directory.`);
    if (missing.length > 0 && !recursive)
      throw new ToolError(
        'PARENT_NOT_FOUND',
        `The directory above ${requestedPath} does not exist. Send \`recursive: true\`.`,
      );
    // The directory itself is one of those to be made.
    const changes =
      stat === undefined ? missingDirectories({ path: `${path}/.`, missing: [...missing, place.name] }) : [];
    return {
      plan: {
        summary: phrase(stat === undefined ? 'plan.createDirectory' : 'plan.directoryExists', { path }),
        risk: stat === undefined ? 'medium' : 'low',
        riskReason: phrase('risk.addsDirectory'),
        touches: [{ asked: requestedPath, path, access: stat === undefined ? 'create' : 'read' }],
        notes: [],
        basis: [{ path, print: stat === undefined ? 'absent' : 'directory' }],
      },
      intents: intentsOf(changes),
      prepared: { path, changes },
    };
  },

  async run(_input, { path, changes }, context) {
    const effects = await commitChanges(changes, context);
    return { data: { path, created: effects.length > 0 }, effects };
  },

  tell: ({ path, created }) => (created ? `Created ${path}/.` : `${path}/ already existed.`),
});
