// A tool of your own: counts the lines of a file. It goes through the same steps as the built-in ones: plan, policy, run, record.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ToolError } from '@codelab/protocol';
import { defineTool, readBoundedText, runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import * as z from 'zod/mini';
import { temporaryWorkspace } from './temporary-workspace.ts';

const Input = () => z.strictObject({ path: z.string() });
const Output = () => z.strictObject({ path: z.string(), lines: z.number() });

const countLines = defineTool<
  z.infer<ReturnType<typeof Input>>,
  z.infer<ReturnType<typeof Output>>,
  { path: string }
>({
  name: 'count_lines',
  kind: 'read',
  summary: 'Count the lines of a text file.',
  input: Input,
  output: Output,

  // Reads only, and names every path that the call touches: the rules judge those.
  plan({ path: asked }, { workspace, limits }) {
    using place = workspace.locate(asked, { followLast: true, access: 'read', pathChars: limits.pathChars });
    const { path } = place;
    return {
      plan: {
        summary: `Count the lines of ${path}`,
        risk: 'low',
        riskReason: 'It only reads.',
        touches: [{ asked, path, access: 'read' }],
        notes: [],
        basis: [],
      },
      intents: [],
      prepared: { path },
    };
  },

  run(_input, { path }, { workspace, limits }) {
    const text = readBoundedText(workspace, path, { maxBytes: limits.readBytes, followLast: true });
    if (text === undefined) throw new ToolError('FILE_NOT_FOUND', `File not found: ${path}`);
    return { data: { path, lines: text.split('\n').length - 1 }, effects: [] };
  },

  tell: ({ path, lines }) => `${path} has ${lines} lines.`,
});

using place = temporaryWorkspace();
writeFileSync(join(place.workspace, 'poem.txt'), 'one\ntwo\nthree\n');
await using composed = await compose({ ...place, mode: 'balanced', env: {}, tools: [countLines] });
for (const path of ['poem.txt', '../secret.txt']) {
  const call = { id: `count ${path}`, session: 'example', dialect: 'codelab', tool: 'count_lines' } as const;
  const outcome = await runCall(composed.host, { ...call, args: { path } });
  const said = outcome.status === 'completed' ? JSON.stringify(outcome.data) : outcome.error.message;
  console.log(`${path}: ${outcome.status} ${said}`);
}
