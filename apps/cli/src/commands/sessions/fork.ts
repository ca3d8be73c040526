// `codelab sessions fork`: a new session that begins with the conversation of another, up to its end or one of its turns.
import '../../shared.ts';
import { type SessionEvent, ToolError } from '@codelab/protocol';
import { randomId } from '@codelab/runtime';
import { findSessions, forkEntry } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { commonOptions, defineCommand, UsageError } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';

export const sessionsFork = defineCommand({
  words: 'ID',
  takes: { min: 1, max: 1 },
  about: `Starts a new session from the conversation of another one, which stays as it is.
Files are not copied: both sessions work in the same workspace.`,
  options: {
    turn: { type: 'string', value: 'N', summary: 'only up to the end of this turn (default: everything)' },
    json: commonOptions.json,
  },
  examples: ['codelab sessions fork 3f2a --turn 2'],
  async run({ words: [id], options }) {
    await using log = await openLog();
    const [session] = await findSessions(log, { id });
    if (session === undefined) return 1;
    const seq = lastSeq(await log.read(session.id), options.turn);
    const fork = randomId();
    const forkedFrom = { session: session.id, seq };
    await log.append(fork, [await forkEntry(log, session.workspace, forkedFrom)], { expected: 0 });
    writeText(
      1,
      options.json
        ? `${JSON.stringify({ session: fork, forked_from: forkedFrom })}\n`
        : `${fork}\nContinue with: codelab sessions resume ${fork} "PROMPT"\n`,
    );
    return 0;
  },
});

function lastSeq(events: readonly SessionEvent[], turn: string | undefined): number {
  if (turn === undefined) {
    const open = events.findLast(({ body }) => body.type === 'turn.started' || body.type === 'turn.ended');
    if (open?.body.type === 'turn.started')
      throw new ToolError(
        'STALE',
        `Turn ${open.body.turn} of this session is not finished. Resume it first, or fork with --turn ${open.body.turn - 1}.`,
      );
    return events.at(-1)?.seq ?? 0;
  }
  const turnNumber = Number(turn);
  const end = events.find(
    ({ body }) => body.type === 'turn.ended' && body.agent === undefined && body.turn === turnNumber,
  );
  if (end === undefined) throw new UsageError(`This session has no finished turn ${turn}.`);
  return end.seq;
}
