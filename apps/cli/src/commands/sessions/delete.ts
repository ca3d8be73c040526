// `codelab sessions delete`: deletes sessions. The changes of their calls stay and can't be undone any more.
import '../../shared.ts';
import { type SessionLog, visibleLine } from '@codelab/protocol';
import { defaultHome } from '@codelab/server';
import { refuseDuringTurn } from '@codelab/server/agent';
import { findSessions } from '../../audit/find-sessions.ts';
import { openLog } from '../../audit/open-log.ts';
import { commonOptions, defineCommand } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';

export const sessionsDelete = defineCommand({
  words: 'ID…',
  takes: { min: 1, max: 100 },
  about: `Deletes sessions with their conversation, calls and decisions. Files stay as they are and can no longer be undone.
A session with a running turn or call, or with forks, is not deleted. A session that changed files is deleted once you confirm it: at a terminal
you are asked; without one, and with --json, it is kept unless you pass --yes.`,
  options: {
    json: commonOptions.json,
    yes: { type: 'boolean', summary: 'delete sessions that changed files, too, without asking' },
  },
  async run({ words, options }) {
    await using log = await openLog();
    const deleted: string[] = [];
    for (const id of words) {
      const [session] = await findSessions(log, { id });
      if (session === undefined) continue;
      refuseDuringTurn(defaultHome(), session.id);
      const isChanging = await hasChanges(log, session.id);
      if (isChanging && !options.yes && !(await isSure(session.id, options.json === true))) continue;
      await log.delete(session.id);
      if (isChanging) writeText(2, changesStay(session.id));
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

function changesStay(session: string): string {
  return `${visibleLine(session)} changed files. They stay as they are; undo, redo and review can't find these changes any more.\n`;
}

function needsYes(session: string): string {
  return `codelab: ${visibleLine(session)} was not deleted: it changed files, and undo, redo and review could not find these changes any more. --yes deletes it.\n`;
}

async function hasChanges(log: SessionLog, session: string): Promise<boolean> {
  const events = await log.read(session);
  return events.some(({ body }) => body.type === 'call.finished' && body.outcome.effects.length > 0);
}

async function isSure(session: string, isForPrograms: boolean): Promise<boolean> {
  const { openTty } = await import('../../terminal/open-terminal.ts');
  using terminal = isForPrograms ? undefined : openTty({ isInsisted: false });
  if (terminal === undefined) {
    writeText(2, needsYes(session));
    return false;
  }
  writeText(
    1,
    `Session ${visibleLine(session)} changed files. Once it is deleted, undo and review can't find these changes.\n`,
  );
  const { select } = await import('../../terminal/select.ts');
  const answer = await select(terminal, {
    choices: [
      { key: 'n', label: 'Keep', hint: 'the session stays', value: false },
      { key: 'y', label: 'Delete', hint: 'its changes stay and can no longer be undone', value: true },
    ],
    footer: () => '↑↓ or a letter, then Enter',
    signal: new AbortController().signal,
  });
  return answer === true;
}
