// The plan of an undo or redo: which effects stand, which of them can be taken back, and the changes that do it.
import { type Plan, ToolError } from '@codelab/protocol';
import type { PlanContext, Planned, Ran, RunContext } from '../define-tool.ts';
import { type Change, intentsOf } from '../workspace/change.ts';
import { commitChanges } from '../workspace/commit-changes.ts';
import { seeAgain } from '../workspace/see-again.ts';
import { chooseTarget, type Wanted } from './choose-target.ts';
import { findChanges, type TakenBack } from './find-changes.ts';
import { reverseEffect } from './reverse-effect.ts';

export type TakeBack = {
  changes: Change[];
  data: { taken_back: TakenBack[]; refused: { path: string; reason: string }[] };
};

export async function planTakeBack(
  verb: 'undo' | 'redo',
  wanted: Wanted,
  isForced: boolean,
  context: PlanContext,
): Promise<Planned<TakeBack>> {
  const { log, workspace, home } = context;
  const targets = chooseTarget(await findChanges(log, workspace.root.real), wanted, verb);
  const changes: Change[] = [];
  const taken_back: TakenBack[] = [];
  const refused: { path: string; reason: string }[] = [];
  let items = 0;
  for (const { session, callId, effects } of targets) {
    const paths: string[] = [];
    for (const effect of effects.toReversed()) {
      const reversal = reverseEffect(effect, context, { home, isForced, item: () => String(items++) });
      if ('refused' in reversal) refused.push({ path: reversal.path, reason: reversal.refused });
      else {
        changes.push(...reversal.changes);
        paths.push(reversal.path);
      }
    }
    if (paths.length > 0) taken_back.push({ session, call_id: callId, paths });
  }
  if (changes.length === 0) throw nothingPossible(verb, refused);
  const plan = describe(verb, changes, refused, targets.length);
  return { plan, intents: intentsOf(changes), prepared: { changes, data: { taken_back, refused } } };
}

export async function runTakeBack(
  { changes, data }: TakeBack,
  context: RunContext,
): Promise<Ran<TakeBack['data']>> {
  const effects = await commitChanges(changes, context);
  const seen = effects.flatMap(({ path, after }) =>
    after?.type === 'file' ? seeAgain(context.workspace, path) : [],
  );
  return { data, effects, seen };
}

function describe(
  verb: string,
  changes: readonly Change[],
  refused: readonly { path: string; reason: string }[],
  calls: number,
): Plan {
  const files = changes.filter(({ op }) => op !== 'mkdir' && op !== 'rmdir');
  return {
    summary: `${verb === 'undo' ? 'Undo' : 'Redo'} ${calls} calls: ${files.length} files`,
    risk: 'high',
    riskReason: 'It changes files back.',
    touches: files.map(({ op, intent }) => ({
      asked: intent.path,
      path: intent.path,
      access: op === 'remove' ? 'delete' : intent.before === null ? 'create' : 'write',
    })),
    notes: [
      ...files.map(({ op, intent }) => `${op === 'remove' ? 'remove' : 'restore'} ${intent.path}`),
      ...refused.map(({ path, reason }) => `${path} stays: ${reason}.`),
    ],
    basis: changes.map((change) => ({
      path: change.intent.path,
      print: 'expected' in change ? change.expected : 'directory',
    })),
  };
}

function nothingPossible(verb: string, refused: readonly { path: string; reason: string }[]): ToolError {
  const why = refused.map(({ path, reason }) => `${path}: ${reason}`).join('; ');
  return new ToolError(
    'STALE',
    `Nothing could be taken back (${why || 'no files'}). Use --force to ${verb} all the same.`,
    { refused },
  );
}
