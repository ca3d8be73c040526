// `codelab held list`: files held back after commands that ran without approval, and still in the quarantine.
import '../../shared.ts';
import { visibleLine } from '@codelab/protocol';
import { findHeld } from '@codelab/runtime';
import { defaultHome } from '@codelab/server';
import { commonOptions, defineCommand, realRoot } from '../../command-line/define-command.ts';
import { writeText } from '../../command-line/process.ts';
import { paintFor } from '../../output/paint.ts';
import { dayTime } from '../../output/units.ts';

const { workspace, json } = commonOptions;

export const heldList = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Lists files that were held back after commands ran without approval: new repositories, hooks, settings of editors and tools, and
other files that control what runs on this machine. Newest first.`,
  options: { workspace, json },
  async run({ options }) {
    const calls = findHeld(defaultHome(), realRoot(options.workspace));
    if (options.json) {
      const rows = calls.map(({ session, callId, at, held: rows }) => ({
        session,
        call_id: callId,
        at,
        held: rows,
      }));
      writeText(1, `${JSON.stringify({ calls: rows })}\n`);
      return 0;
    }
    const paint = paintFor(1);
    const lines = calls.flatMap(({ callId, at, held }) => [
      `${paint('bold', visibleLine(callId))}  ${dayTime(Date.parse(at))}`,
      ...held.map(({ path, change, why }) => `  ${visibleLine(path)} (${change}): ${visibleLine(why)}`),
    ]);
    const next = '`codelab held restore CALL --dry-run` shows the files; without --dry-run it restores them.';
    const text = calls.length === 0 ? ['Nothing is held back here.'] : [...lines, next];
    writeText(1, `${text.join('\n')}\n`);
    return 0;
  },
});
