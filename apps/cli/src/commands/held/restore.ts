// `codelab held restore`: restores the files that were held back after a call. Typing the command is consent; a deny rule still denies.
import '../../shared.ts';
import { ToolError, visibleLine } from '@codelab/protocol';
import { type Host, randomId, runConsented, userName } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { findSessions } from '../../audit/find-sessions.ts';
import { commonOptions, composeOptions, defineCommand } from '../../command-line/define-command.ts';
import { createInterruption, writeText } from '../../command-line/process.ts';
import { showUndo } from '../../undo/run-undo.ts';

const { workspace, json } = commonOptions;
const verb = 'restore_held_back';

export const heldRestore = defineCommand({
  words: 'CALL [PATH…]',
  takes: { min: 1, max: 1001 },
  about: `Restores the files that were held back after a call, or only the named paths. Inspect them first (--dry-run): they control what
runs on this machine. \`codelab undo\` removes them again.`,
  options: {
    workspace,
    session: {
      type: 'string',
      value: 'ID',
      summary: 'session of the call, if several sessions have a call with this id',
    },
    'dry-run': { type: 'boolean', summary: 'show what would be restored, change nothing' },
    json,
  },
  examples: ['codelab held restore call_7 --dry-run', 'codelab held restore call_7 .vscode/tasks.json'],
  async run({ words: [call = '', ...paths], options }) {
    await using composed = await compose(composeOptions(options));
    const { session: typedSession } = options;
    const [session] =
      typedSession === undefined ? [] : await findSessions(composed.log, { id: typedSession });
    const args = {
      call_id: call,
      ...(session === undefined ? {} : { session: session.id }),
      ...(paths.length === 0 ? {} : { paths }),
    };
    if (options['dry-run']) return await showUndo(composed.host, { verb, args }, options);
    const restored = await restore(composed.host, args);
    const lines = restored.map((path) => `restored ${visibleLine(path)}\n`);
    writeText(1, options.json ? `${JSON.stringify({ call_id: call, restored })}\n` : lines.join(''));
    return 0;
  },
});

async function restore(host: Host, args: Record<string, unknown>): Promise<string[]> {
  using interruption = createInterruption();
  const by = { who: userName(), via: 'codelab held restore' };
  const call = { id: randomId(), session: randomId(), tool: verb, args, dialect: 'codelab' as const, by };
  const outcome = await runConsented(host, call, by, interruption.signal);
  if (outcome.status === 'completed') return outcome.effects.map(({ path }) => path);
  const { code, message, details } = outcome.error;
  throw new ToolError(code, message, details);
}
