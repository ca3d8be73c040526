// Discarding a part of a review: what each file becomes, as one set of changes like any other, so that a crash is recovered from and undo
// takes it back. A file that is no longer what the review was made of is refused by name; the others are done.
import { type Plan, type PlanDraft, phrase, ToolError } from '@codelab/protocol';
import { unifiedDiff } from '../patch/unified-diff.ts';
import type { PlanContext, Planned, RunContext, ToolRunResult } from '../tool/define-tool.ts';
import { failureOfSet } from '../undo/plan-undo.ts';
import { modeAsBefore } from '../undo/reverse-effect.ts';
import { type Change, intentsOf } from '../workspace/commit/change.ts';
import { commitChanges } from '../workspace/commit/commit-changes.ts';
import type { LeftFolder } from '../workspace/commit/perform-changes.ts';
import { FailedWithEffects } from '../workspace/fault.ts';
import { chooseDiscard, type DiscardWish, type FileChoice, type Refusal } from './choose-discard.ts';
import { type DiscardContext, discardFile } from './discard-file.ts';
import { type ReviewedChanges, readReview } from './review-files.ts';

type DiscardedFile = { path: string; hunks: string[] };

/** `afterwards` are changes that need the others to be made first. */
export type PlannedDiscard = {
  turn: number | null;
  changes: Change[];
  afterwards: Change[];
  discarded: DiscardedFile[];
  refused: Refusal[];
};

export type DiscardData = Pick<PlannedDiscard, 'turn' | 'discarded' | 'refused'> & { steps: number[] };

export async function planDiscard(
  { turn, ...request }: DiscardWish & { turn: number | null },
  context: PlanContext,
): Promise<Planned<PlannedDiscard>> {
  const review = await readReview(context, { session: context.session, turn });
  const { choices, refused } = chooseDiscard(review, request);
  const planned: PlannedDiscard = { turn, changes: [], afterwards: [], discarded: [], refused };
  let items = 0;
  const making: DiscardContext = { context, item: () => String(items++), createdFolders: new Set() };
  for (const choice of choices) {
    const discard = context.workspace.together(() => discardFile(choice, making));
    const hunks = [...choice.discarded, ...choice.edits.keys()];
    if ('reason' in discard) planned.refused.push({ path: choice.file.path, hunks, ...discard });
    else {
      planned.changes.push(...discard.changes);
      planned.afterwards.push(...(discard.afterwards ?? []));
      planned.discarded.push({ path: choice.file.path, hunks });
    }
  }
  planned.changes.push(...emptyFolders(review, planned.changes));
  restoreModes(planned, review);
  if (planned.changes.length === 0) throw nothingPossible(planned);
  const plan = describe(planned, choices, context);
  return { plan, intents: intentsOf(planned.changes), prepared: planned };
}

export async function runDiscard(
  { turn, changes, afterwards, discarded, refused }: PlannedDiscard,
  context: RunContext,
): Promise<ToolRunResult<DiscardData>> {
  const notRemoved: Refusal[] = [];
  const discardedPaths = new Set(discarded.map(({ path }) => path));
  const onLeft = ({ path, errno }: LeftFolder): void => {
    // A parent folder of a discarded file may hold other files, so it stays without a message.
    if (discardedPaths.has(path))
      notRemoved.push({
        path,
        hunks: [],
        reason: `the folder could not be removed (${errno})`,
        code: 'STALE',
      });
  };
  const effects = await commitChanges(changes, context, { onLeft, afterwards });
  const steps = [effects.length];
  if (afterwards.length > 0) {
    const laterEffects = await commitChanges(afterwards, context, { set: 1, isDue: true }).catch((error) => {
      const more = error instanceof FailedWithEffects ? error.effects : [];
      throw new FailedWithEffects(failureOfSet(error), [...effects, ...more]);
    });
    effects.push(...laterEffects);
    steps.push(laterEffects.length);
  }
  return { data: { turn, discarded, refused: [...refused, ...notRemoved], steps }, effects };
}

/** Folders that were made on the way to files that go; one that holds something else stays. */
function emptyFolders({ folders }: ReviewedChanges, changes: readonly Change[]): Change[] {
  const removed = changes.flatMap(({ op, intent: { path, from } }) =>
    op === 'remove' || op === 'rmdir' ? [path] : op === 'move' && from !== undefined ? [from] : [],
  );
  const removedFolders = new Set(changes.filter(({ op }) => op === 'rmdir').map(({ intent }) => intent.path));
  return folders
    .filter(
      ({ op, path }) =>
        op === 'mkdir' &&
        !removedFolders.has(path) &&
        removed.some((removedPath) => removedPath.startsWith(`${path}/`)),
    )
    .sort((a, b) => b.path.length - a.path.length)
    .map(({ path, now }) => ({
      op: 'rmdir',
      intent: { op: 'delete', path, before: now?.state ?? null, after: null },
    }));
}

/** Folders that were removed and are made again get the mode they had. */
function restoreModes(planned: PlannedDiscard, { folders }: ReviewedChanges): void {
  const removed = new Map(
    folders.map(({ op, path, base }) => [path, op === 'delete' ? base?.state : undefined]),
  );
  for (const { op, intent } of planned.changes) {
    const removedState = op === 'mkdir' ? removed.get(intent.path) : undefined;
    if (removedState === undefined) continue;
    intent.after = removedState;
    planned.afterwards.push(...modeAsBefore(intent.path, removedState));
  }
}

function describe(
  { changes, discarded, refused }: PlannedDiscard,
  choices: readonly FileChoice[],
  context: PlanContext,
): PlanDraft {
  const hunks = discarded.reduce((sum, file) => sum + file.hunks.length, 0);
  const files = changes.filter(({ op }) => op !== 'mkdir' && op !== 'rmdir');
  const diff = diffOf(files, choices, context);
  return {
    summary: phrase('plan.discard', { hunks, files: discarded.length }),
    risk: 'high',
    riskReason: phrase('risk.changesBack'),
    touches: changes.map(({ intent: { path, after, before } }) => ({
      asked: path,
      path,
      access: after === null ? 'delete' : before === null ? 'create' : 'write',
    })),
    notes: refused.map(({ path, reason }) => phrase('note.stays', { path, why: reason })),
    ...(diff && { diff }),
    basis: changes.map((change) => ({
      path: change.intent.path,
      print: 'expected' in change ? change.expected : 'directory',
    })),
  };
}

function diffOf(
  changes: readonly Change[],
  choices: readonly FileChoice[],
  { limits }: PlanContext,
): Plan['diff'] | undefined {
  const now = new Map(choices.map(({ file }) => [file.path, file.now?.lines?.join('') ?? null]));
  const total = { text: '', additions: 0, deletions: 0, hunks: 0, truncated: false };
  for (const change of changes) {
    const { path } = change.intent;
    if (change.op !== 'remove' && !(change.op === 'put' && 'bytes' in change.source)) continue;
    const after =
      change.op === 'put' && 'bytes' in change.source ? change.source.bytes.toString('utf8') : null;
    const maxBytes = Math.max(0, limits.diffBytes - total.text.length);
    const fileDiff = unifiedDiff({ path, before: now.get(path) ?? null, after, maxBytes });
    total.text += fileDiff.text;
    total.additions += fileDiff.additions;
    total.deletions += fileDiff.deletions;
    total.hunks += fileDiff.hunks;
    total.truncated ||= fileDiff.truncated;
  }
  return total.text === '' ? undefined : total;
}

function nothingPossible({ refused }: PlannedDiscard): ToolError {
  const reasons = refused.map(({ path, reason }) => `${path}: ${reason}`).join('; ');
  const text = `Nothing was discarded (${reasons || 'the review is empty, or no hunk or file was named'}).`;
  return new ToolError('STALE', text, { refused });
}
