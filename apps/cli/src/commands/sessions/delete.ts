// `codelab sessions delete`: deletes sessions. The changes of their calls stay and can't be undone any more.
import '../../shared.ts';
import { visibleLine } from '@codelab/protocol';
import { defaultHome } from '@codelab/server';
import { refuseDuringTurn } from '@codelab/server/agent';
import { findSessions } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { commonOptions } from '../../command-line/compose-options.ts';
import { defineCommand } from '../../command-line/define-command.ts';
import { writeText } from '../../output/write-text.ts';

export const sessionsDelete = defineCommand({
  words: 'ID…',
  takes: { min: 1, max: 100 },
  about: `Deletes sessions with their conversation, calls and decisions. Files stay as they are and can no longer be undone.
A session with a running turn or call, or with forks, is not deleted.`,
  options: { json: commonOptions.json },
  async run({ words, options }) {
    await using log = await openLog();
    const deleted: string[] = [];
    for (const id of words) {
      const [session] = await findSessions(log, { id });
      if (session === undefined) continue;
      refuseDuringTurn(defaultHome(), session.id);
      await log.delete(session.id);
      deleted.push(session.id);
    }
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ deleted })}\n`
        : deleted.map((id) => `Deleted ${visibleLine(id)}\n`).join(''),
    );
    return deleted.length === words.length ? 0 : 1;
  },
});
