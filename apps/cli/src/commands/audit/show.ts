// `codelab audit show`: the record as a timeline, one call after the other.
import '../../shared.ts';
import { callRecords } from '../../audit/call-records.ts';
import { findSessions } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { timelineText } from '../../audit/timeline-text.ts';
import { commonOptions, defineCommand, realRoot, UsageError } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { paintFor } from '../../output/paint.ts';
import { screenWidth } from '../../output/text-width.ts';

const { workspace, json } = commonOptions;

export const auditShow = defineCommand({
  words: '[SESSION]',
  takes: { min: 0, max: 1 },
  about:
    'Shows each call with the verdict of policy, the decision and who made it, the outcome, and the changed files.',
  options: {
    limit: {
      type: 'string',
      value: 'N',
      summary: 'show only the latest N calls (default: 50; all calls of a named session)',
    },
    workspace,
    json,
  },
  async run({ words: [id], options }) {
    const limit = readLimit(options.limit) ?? (id === undefined ? 50 : Number.POSITIVE_INFINITY);
    const root = id === undefined ? realRoot(options.workspace) : undefined;
    await using log = await openLog();
    // A session holds at least one call, so no more sessions than calls are needed.
    const sessions = (await findSessions(log, { id, root })).slice(0, limit);
    const events = await Promise.all(sessions.map((session) => log.read(session.id)));
    const calls = events
      .flatMap(callRecords)
      .sort((a, b) => a.at - b.at)
      .slice(-limit);
    if (options.json) {
      writeText(1, `${JSON.stringify({ calls })}\n`);
      return 0;
    }
    const lines = timelineText(calls, { paint: paintFor(1), columns: screenWidth() });
    writeText(
      1,
      lines.length === 0 ? 'Nothing is recorded for this workspace yet.\n' : `${lines.join('\n')}\n`,
    );
    return 0;
  },
});

function readLimit(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--limit must be a whole number, 1 or more.');
  return Number(text);
}
