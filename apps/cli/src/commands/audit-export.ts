// `codelab audit export`: every event with its hash, one JSON line each, in the order of each session.
import '../shared.ts';
import { findSessions } from '../audit/find-sessions.ts';
import { openLog } from '../audit/open-log.ts';
import { commonOptions } from '../command-line/common-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { writeText } from '../output/write-text.ts';

export const auditExport = defineCommand({
  words: '[SESSION]',
  takes: { min: 0, max: 1 },
  about: 'Prints the record as JSON lines, the oldest session first: all sessions, or the one that is named.',
  options: {
    workspace: commonOptions.workspace,
    json: { type: 'boolean', summary: 'changes nothing: it is JSON' },
  },
  async run({ words: [id] }) {
    await using log = openLog();
    for (const session of (await findSessions(log, { id })).reverse()) {
      const events = await log.read(session.id);
      writeText(1, events.map((event) => `${JSON.stringify(event)}\n`).join(''));
    }
    return 0;
  },
});
