// `codelab undo` and `codelab redo` once their options are read: show or do it, then say what became of each file.
import type { Host } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { findSessions } from '../audit/find-sessions.ts';
import { composeOptions } from '../command-line/compose-options.ts';
import { paintFor } from '../output/paint.ts';
import { writeText } from '../output/write-text.ts';
import { createInterruption } from '../tool-call/interruption.ts';
import { nothingTakenBack } from './nothing-taken-back.ts';
import { showTakeBack } from './show-take-back.ts';
import { type TakeBack, type TakenBack, takeBack } from './take-back.ts';
import { takenBackText } from './taken-back-text.ts';

type Given = { workspace?: string; 'dry-run'?: boolean; force?: boolean; json?: boolean };

/** Exit code 1 when something was refused or there was nothing to do. */
export async function runTakeBack({ session: named, ...asked }: TakeBack, given: Given): Promise<number> {
  await using composed = await compose(composeOptions(given));
  using interruption = createInterruption();
  const { host } = composed;
  const wanted = named === undefined ? asked : await inSession(host, asked, named);
  try {
    if (given['dry-run']) return await showTakeBack(host, wanted, given);
    return report(await takeBack(host, wanted, interruption), wanted, given);
  } catch (error) {
    const nothing = nothingTakenBack(error);
    if (nothing !== undefined) return report(nothing, wanted, given);
    if (interruption.happened) return 130;
    throw error;
  }
}

/** Run in the session that is named, it sees what its owner may see; without one, all that is the user's own. */
async function inSession({ log }: Host, asked: TakeBack, named: string): Promise<TakeBack> {
  const [found] = await findSessions(log, { id: named });
  const session = found?.id ?? named;
  return { ...asked, session, args: { ...asked.args, session } };
}

function report(done: TakenBack, { verb }: TakeBack, { json, force = false }: Given): number {
  const { taken_back: taken, refused } = done.data;
  writeText(
    1,
    json
      ? `${JSON.stringify({ taken_back: taken, refused })}\n`
      : takenBackText(done, { isForced: force, paint: paintFor(1) }),
  );
  if (taken.length === 0 && refused.length === 0) writeText(2, `There is nothing to ${verb} here.\n`);
  return taken.length > 0 && refused.length === 0 ? 0 : 1;
}
