// `codelab sessions resume`: continues a session. An interrupted turn is finished first: no call runs twice, and pending approvals
// are asked again.
import '../../shared.ts';
import { checkWorkspace, findSessions } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { composeOptions, defineCommand, UsageError } from '../../command-line/define-command.ts';
import { lastTurn } from '../../run/choose-session.ts';
import { headlessOptions } from '../../run/headless-options.ts';
import { turnOptions } from '../../run/turn-options.ts';

export const sessionsResume = defineCommand({
  words: 'ID [PROMPT]',
  takes: { min: 1, max: 2 },
  about: `Continues a session. An interrupted turn is finished first: no call runs twice, and pending approvals are asked
again. With a PROMPT, a new turn follows. Profile and model are those of the latest turn unless you name others.`,
  options: { ...turnOptions, ...headlessOptions },
  async run({ words: [id, prompt], options }) {
    const found = await find(id);
    if (found === undefined) return 1;
    const { session, last } = found;
    const profile = options.profile ?? last?.profile;
    const { startRun } = await import('../../run/start-run.ts');
    return await startRun(options, async ({ compose, messageOf, run }) => {
      await using composed = await compose({ ...composeOptions(options), workspace: session.workspace });
      const runOptions = { composed, session: session.id, profile, ...(last && { lastModel: last.model }) };
      if (last?.isOpen) {
        const code = await run({ ...runOptions, message: undefined });
        if (prompt === undefined || code !== 0) return code;
      } else if (prompt === undefined)
        throw new UsageError(
          `No turn of this session is open. Give a PROMPT: codelab sessions resume ${session.id} "Continue."`,
        );
      return await run({ ...runOptions, message: messageOf(prompt, 'codelab sessions resume') });
    });
  },
});

async function find(id: string | undefined) {
  await using log = await openLog();
  const [session] = await findSessions(log, { id });
  if (session === undefined) return undefined;
  await checkWorkspace(log, session.id, session.workspace);
  return { session, last: await lastTurn(log, session.id) };
}
