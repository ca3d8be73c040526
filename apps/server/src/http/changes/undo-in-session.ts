// Undo and redo as a person asks for them: previewed file by file, or performed and recorded under their name.
import type { UndoResult } from '@codelab/api';
import { type Effect, type Outcome, ToolError } from '@codelab/protocol';
import { inspect, previewUndo, randomId } from '@codelab/runtime';
import { actorOf, type Peer, type SharedSession } from '../../sessions/gateway.ts';

type Verb = 'undo' | 'redo';
type Refused = { path: string; reason: string };

/** The changes to undo or redo; with no field, those of the latest turn or call. */
export type ChangeSelection = {
  turn?: number | undefined;
  from_turn?: number | undefined;
  call_id?: string | undefined;
  paths?: string[] | undefined;
};

const maxDiff = 2 * 1024 * 1024;

export async function planUndoInSession(
  { host, id }: SharedSession,
  { verb, selection, isForced }: { verb: Verb; selection: ChangeSelection; isForced: boolean },
): Promise<UndoResult> {
  const { files, diff } = await inspect(host, { session: id, limits: { diffBytes: maxDiff } }, (context) =>
    previewUndo(context, { verb, selection, isForced }),
  );
  return {
    files,
    ...(diff !== undefined && { diff: diff.text, truncated: diff.truncated }),
    done: false,
  };
}

export async function undoInSession(
  session: SharedSession,
  { verb, selection, isForced, by }: { verb: Verb; selection: ChangeSelection; isForced: boolean; by: Peer },
): Promise<UndoResult> {
  // Limited to this session: the person may not undo changes of others.
  const args = { ...selection, session: session.id, force: isForced };
  const outcome = await session.call({ id: randomId(), tool: verb, args, dialect: 'codelab' }, actorOf(by), {
    isConsented: true,
  });
  if (outcome.status !== 'completed') return nothingDone(outcome);
  const refused = outcome.data.refused as Refused[];
  return { files: [...filesOf(outcome.effects), ...refused.map(staying)], done: true };
}

// When every file was refused, the result lists the reasons; any other failure is an error.
function nothingDone({ error }: Exclude<Outcome, { status: 'completed' }>): UndoResult {
  const { refused = [] } = (error.details ?? {}) as { refused?: Refused[] };
  if (refused.length === 0) throw new ToolError(error.code, error.message, error.details);
  return { files: refused.map(staying), done: false };
}

// A turn may have changed a file several times; only its final state is listed.
function filesOf(effects: readonly Effect[]): UndoResult['files'] {
  const last = new Map(effects.map((effect) => [effect.path, effect]));
  return [...last.values()].map(({ op, path }) => {
    const action = op === 'delete' ? 'remove' : op === 'move' ? 'move' : 'restore';
    return { path, action, state: 'done' };
  });
}

function staying({ path, reason }: Refused): UndoResult['files'][number] {
  return { path, action: 'none', state: 'refused', why: reason };
}
