// `codelab sessions settle`: a person confirms that the process which ran a session's calls is gone.
import '../../shared.ts';
import { visibleLine } from '@codelab/protocol';
import { declareDead } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { findSessions } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { commonOptions, composeOptions, defineCommand } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';

export const sessionsSettle = defineCommand({
  words: 'ID',
  takes: { min: 1, max: 1 },
  about: `Ends calls that are recorded as running although their process is gone, such as one on another host or in a removed container.
Their effect on files is determined and recorded; nothing runs again. You rarely need this: processes of this machine, and others
after 30 seconds without a heartbeat, are detected automatically. Refused while the process is still running.`,
  options: { json: commonOptions.json },
  examples: ['codelab sessions settle 3f2a'],
  async run({ words: [id], options }) {
    const session = await findOne(id);
    if (session === undefined) return 1;
    await using composed = await compose(composeOptions({ workspace: session.workspace }));
    const endedCalls = await declareDead(composed.host, session.id);
    const lines = endedCalls.map((call) => `Ended ${visibleLine(call)}: codelab audit show ${session.id}\n`);
    const text = endedCalls.length === 0 ? 'No call of this session is running.\n' : lines.join('');
    writeText(1, options.json ? `${JSON.stringify({ session: session.id, settled: endedCalls })}\n` : text);
    return 0;
  },
});

async function findOne(id: string | undefined): Promise<{ id: string; workspace: string } | undefined> {
  await using log = await openLog();
  const [session] = await findSessions(log, { id });
  return session;
}
