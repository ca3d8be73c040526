// `codelab log copy`: copies sessions from one log to another, between SQLite and NATS, with their hashes and seals.
import '../shared.ts';
import { existsSync } from 'node:fs';
import { type SessionSummary, ToolError, visibleLine } from '@codelab/protocol';
import { type CopyResult, copySessions, defaultHome, isOnNats, logFile } from '@codelab/server';
import { findSessions } from '../audit/find-sessions.ts';
import { type OpenLog, openLogAt } from '../audit/open-log.ts';
import { commonOptions, defineCommand, UsageError } from '../command-line/define-command.ts';
import { writeText } from '../command-line/process.ts';
import { countOf } from '../output/units.ts';

/** The log of the home, which commands use by default. */
const ownLog = 'home';

export const logCopy = defineCommand({
  words: 'FROM TO [SESSION…]',
  takes: { min: 2, max: 102 },
  about: `Copies all sessions, or only the named ones, from one log to another. FROM and TO are nats://HOST:PORT[/NAME], sqlite:PATH, or
\`home\` for the log in CODELAB_HOME. Sequence numbers, times and hashes are kept, and the hash chain is verified before and after.
Existing entries are not changed, so you can restart an interrupted copy. Stop the gateways that use FROM first.`,
  options: { json: commonOptions.json },
  examples: [
    'codelab log copy home nats://127.0.0.1:4222',
    'codelab log copy nats://a:4222,b:4222 sqlite:backup.db',
  ],
  async run({ words: [from = '', to = '', ...ids], options }) {
    checkPlaces(from, to);
    await using source = await openLogAt(wordsOf(from));
    await using target = await openLogAt(wordsOf(to));
    const sessions = await chosenSessions(source, ids);
    if (sessions.length === 0)
      throw new ToolError('SESSION_NOT_FOUND', `There are no sessions in ${label(from)}. Check the address.`);
    const stop = new AbortController();
    process.once('SIGINT', () => stop.abort());
    const showsProgress = process.stderr.isTTY && !options.json;
    const result = await copySessions(
      { from: source, to: target },
      {
        sessions,
        signal: stop.signal,
        ...(showsProgress && {
          onProgress: ({ done, entries }) =>
            writeText(2, `\r${done} of ${sessions.length} sessions, ${entries} entries `),
        }),
      },
    );
    if (showsProgress) writeText(2, '\r\x1b[K');
    writeText(1, options.json ? `${JSON.stringify(result)}\n` : resultText(result));
    return result.failed.length === 0 ? 0 : 1;
  },
});

async function chosenSessions(log: OpenLog, ids: readonly string[]): Promise<SessionSummary[]> {
  if (ids.length === 0) return (await log.sessions()).reverse();
  const sessions = await Promise.all(ids.map((id) => findSessions(log, { id })));
  return sessions.flat();
}

function checkPlaces(from: string, to: string): void {
  for (const place of [from, to])
    if (place === '') throw new UsageError('Give a log address: nats://HOST:PORT, sqlite:PATH or home.');
  if (from === to) throw new UsageError('FROM and TO are the same log.');
  const file = from === ownLog || isOnNats(from) ? undefined : logFile(from);
  // Opening a missing database would create it.
  if (file !== undefined && !existsSync(file))
    throw new ToolError('FILE_NOT_FOUND', `There is no session log ${visibleLine(file)}. Check FROM.`);
}

/** The log of the home has a folder of its own for long texts. */
function wordsOf(place: string): string | undefined {
  if (place === ownLog) return undefined;
  return !isOnNats(place) && logFile(place) === logFile(`sqlite:${defaultHome()}/sessions.db`)
    ? undefined
    : place;
}

/** The address without its password. */
function label(place: string): string {
  return visibleLine(place.replace(/\/\/[^@/]*@/, '//'));
}

function resultText({ copied, entries, present, failed }: CopyResult): string {
  const lines = [
    `Copied ${countOf(copied, 'session')}, ${countOf(entries, 'entry', 'entries')}; the hash chain is verified.`,
  ];
  if (present > 0) lines.push(`${present} already existed.`);
  for (const { session, problem } of failed)
    lines.push(`Not copied: ${visibleLine(session)}. ${visibleLine(problem)}`);
  return `${lines.join('\n')}\n`;
}
