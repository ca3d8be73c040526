// `codelab audit export`: every event with its hash, one JSON line each, in the order of each session.
import '../../shared.ts';
import { findSessions } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { commonOptions, defineCommand } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';

export const auditExport = defineCommand({
  words: '[SESSION]',
  takes: { min: 0, max: 1 },
  about: `Prints the record as JSON lines, the oldest session first: all sessions, or the one that is named.
With --seals the record can be verified without CodeLab (docs/audit.md).`,
  options: {
    seals: { type: 'boolean', summary: 'append every seal of the log with its signature and public key' },
    workspace: commonOptions.workspace,
    json: { type: 'boolean', summary: 'no effect: the output is always JSON' },
  },
  async run({ words: [id], options }) {
    await using log = await openLog();
    const sessions = (await findSessions(log, { id })).reverse().map((session) => session.id);
    for await (const line of log.exportLines(sessions, { seals: options.seals === true })) writeText(1, line);
    return 0;
  },
});
