// Undoes file changes of calls: of the latest turn or call that stands, or of named ones. Files that were changed since stay and are
// listed.
import { type FileState, firstNames, phrase } from '@codelab/protocol';
import * as z from 'zod/mini';
import { defineTool, type PlanContext, type Planned } from '../../tool/define-tool.ts';
import { readFolders } from '../../undo/index-changes.ts';
import { elsewhere, onlyCopyOf } from '../../undo/only-copy.ts';
import { type PlannedUndo, performUndo, planUndo, type UndoData, UndoOutput } from '../../undo/plan-undo.ts';
import { isSameState } from '../../undo/present-state.ts';
import { reverseEffect } from '../../undo/reverse-effect.ts';

const Input = () =>
  z.strictObject({
    session: z.optional(z.string()),
    scope: z._default(z.enum(['session', 'workspace']), 'session'),
    call_id: z.optional(z.string()),
    turn: z.optional(z.int().check(z.positive())),
    /** Undoes the turn and all later ones. */
    from_turn: z.optional(z.int().check(z.positive())),
    paths: z.optional(z.array(z.string()).check(z.minLength(1), z.maxLength(1000))),
    force: z._default(z.boolean(), false),
  });

export const undoTool = defineTool<z.infer<ReturnType<typeof Input>>, UndoData, PlannedUndo>({
  name: 'undo',
  kind: 'edit',
  summary: 'Undo the file changes of the latest turn or call, or of the one named.',
  input: Input,
  output: UndoOutput,
  plan: (input, context) => planAskingIfForced('undo', input, context),
  run: (_input, prepared, context) => performUndo(prepared, context),
  tell: ({ taken_back, refused }) =>
    `Undid changes in ${taken_back.flatMap(({ paths }) => paths).length} files, refused ${refused.length}.`,
});

/** `force` would overwrite a person's work, and the model can't consent to that: a person is asked in every mode. */
export async function planAskingIfForced(
  verb: 'undo' | 'redo',
  input: Parameters<typeof planUndo>[1],
  context: PlanContext,
): Promise<Planned<PlannedUndo>> {
  const planned = await planUndo(verb, input, context);
  const changed = input.force ? await changedSince(planned.prepared, context) : [];
  if (changed.length === 0) return planned;
  const reason = phrase('call.overwritesChanges', { names: firstNames(changed, mostNamed) });
  const { plan } = planned;
  return {
    ...planned,
    plan: { ...plan, notes: [reason, ...plan.notes] },
    mustAsk: { rule: 'forced-undo', reason },
  };
}

const mostNamed = 20;

/** Files that differ from what the calls left, or may be only copies, newest change first; each change is seen on top of the undone newer ones. */
async function changedSince({ targets }: PlannedUndo, given: PlanContext): Promise<string[]> {
  const effects = targets.flatMap(({ groups }) => groups.flat().toReversed());
  const context = { ...given, folders: await readFolders(effects, given) };
  const then = new Map<string, FileState | null>();
  const changed = new Set<string>();
  const isElsewhere = elsewhere(effects, context);
  // The author of a change may be uncertain, but whether the change still stands is not.
  for (const { uncertain: _, ...effect } of effects.filter(({ op }) => op !== 'mkdir')) {
    const { path, from, op, before, after } = effect;
    const stateThen = then.get(path);
    const options = { home: context.home, isForced: false, item: () => '0' };
    const isChanged =
      stateThen === undefined
        ? 'refused' in reverseEffect(effect, context, options)
        : effect.changed === true || !isSameState(stateThen, after);
    const isOnlyCopy = onlyCopyOf(effect, { leftDeletions: [], isForced: false, isElsewhere }) !== undefined;
    if (isChanged || isOnlyCopy) changed.add(path);
    then.set(path, before);
    if (op === 'move' && from !== undefined) then.set(from, after);
  }
  return [...changed];
}
