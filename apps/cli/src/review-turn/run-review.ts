// `codelab review` after its options are read: hunk by hunk at a terminal, else a list, JSON, a diff, or the action of an option.
import { ToolError, visible } from '@codelab/protocol';
import type { Host } from '@codelab/runtime';
import { compose } from '@codelab/server';
import { checkFolder, findSessions } from '../audit/find-sessions.ts';
import { composeOptions } from '../command-line/define-command.ts';
import { createInterruption, writeText } from '../command-line/process.ts';
import { paintFor } from '../output/paint.ts';
import { screenWidth } from '../output/text-width.ts';
import { countOf } from '../output/units.ts';
import { lastTurn } from '../run/choose-session.ts';
import { openTty } from '../terminal/open-terminal.ts';
import { nothingChanged, reviewChanges } from './review-flow.ts';
import { type LoadedReview, type ReviewSource, reviewSource, type SentComments } from './review-source.ts';
import { resumeReview } from './review-state.ts';
import { discardLines, fileLines, lossLines, reviewTitle } from './review-text.ts';

type Given = {
  workspace?: string;
  session?: string;
  turn: number | null;
  json?: boolean;
  diff?: boolean;
  discard: readonly string[];
  commit: string | undefined;
  send: boolean;
  model?: string;
  approve?: string;
};

/** Exit code 1 when a file was refused, or there is nothing to review. */
export async function runReview(request: Given): Promise<number> {
  const { session, comments, code } = await review(request);
  if (session === undefined || comments === undefined) return code;
  return await sendComments({ ...request, session, comments });
}

type Ended = { code: number; session?: string; comments?: SentComments | undefined };

async function review(request: Given): Promise<Ended> {
  await using composed = await compose(composeOptions(request));
  using interruption = createInterruption();
  const { signal } = interruption;
  const { session, hasChanges } = await chooseSession(composed.host, request.session);
  if (session === undefined)
    return nothing(hasChanges ? nothingLeft : 'No session of this workspace has changed files.');
  const source = reviewSource(composed.host, { session, via: 'codelab review' });
  const turn = request.turn ?? (await onlyTurn(source));
  const turnRequest = { ...request, turn };
  if (turnRequest.send) return { code: 1, session, comments: await commentsOf(source, turn) };
  if (turnRequest.discard.length > 0 || turnRequest.commit !== undefined)
    return { code: await carryOut(source, turnRequest) };
  const loaded = await source.get(turn);
  if (turnRequest.diff) {
    if (loaded.files.length === 0) writeText(2, `${nothingChanged(turn)}\n`);
    writeText(1, await source.diff(turn));
    return { code: 0 };
  }
  if (turnRequest.json || loaded.files.length === 0) return { code: print(loaded, turnRequest) };
  using terminal = openTty({ isInsisted: false });
  if (terminal === undefined) return { code: print(loaded, turnRequest) };
  try {
    const { comments } = await reviewChanges({ terminal, source, turn, signal });
    return { code: 0, session, comments };
  } catch (error) {
    if (!interruption.happened) throw error;
    return { code: 130 };
  }
}

const nothingLeft =
  'Nothing is left to review: what the sessions of this workspace changed was undone, or its files were renamed or replaced since.';

type ChosenSession = { session: string | undefined; hasChanges: boolean };

async function chooseSession(host: Host, typedId: string | undefined): Promise<ChosenSession> {
  if (typedId !== undefined) {
    const [session] = await findSessions(host.log, { id: typedId });
    if (session !== undefined) checkFolder(session, host.workspace.root.real, 'codelab review');
    return { session: session?.id, hasChanges: false };
  }
  let hasChanges = false;
  for (const { id } of await findSessions(host.log, { root: host.workspace.root.real })) {
    const events = await host.log.read(id);
    const hasEffects = events.some(
      ({ body }) => body.type === 'call.finished' && body.outcome.effects.length > 0,
    );
    hasChanges ||= hasEffects;
    if (hasEffects && (await reviewSource(host, { session: id, via: '' }).get(null)).files.length > 0)
      return { session: id, hasChanges };
  }
  return { session: undefined, hasChanges };
}

/** A session in which one turn changed files is reviewed as that turn, so that /review in the chat has the same draft. */
async function onlyTurn(source: ReviewSource): Promise<number | null> {
  const { turns, ...sessionReview } = await source.get(null);
  const [only, ...otherTurns] = turns;
  if (only === undefined || otherTurns.length > 0 || sessionReview.draft.comments.length > 0) return null;
  // Calls that belong to no turn are part of the session alone.
  return (await source.get(only)).version === sessionReview.version ? only : null;
}

function nothing(text: string): Ended {
  writeText(2, `${text}\n`);
  return { code: 1 };
}

function print(loaded: LoadedReview, { json, turn }: Given): number {
  if (json) writeText(1, `${JSON.stringify(loaded)}\n`);
  else {
    const isEmpty = loaded.files.length === 0;
    const setting = { paint: paintFor(isEmpty ? 2 : 1), columns: screenWidth() };
    const state = resumeReview(loaded);
    const lines = [
      isEmpty ? nothingChanged(turn) : reviewTitle(state, setting),
      ...lossLines(loaded.losses, setting),
      ...fileLines(state, setting),
    ];
    writeText(isEmpty ? 2 : 1, lines.map((line) => `${line}\n`).join(''));
  }
  return loaded.files.length === 0 && !json ? 1 : 0;
}

/** Commits nothing when a discard was refused. */
async function carryOut(source: ReviewSource, { turn, discard, commit, json }: Given): Promise<number> {
  const outcome =
    discard.length === 0 ? undefined : await source.discard(await hunksAndFiles(source, turn, discard));
  const isRefused = outcome !== undefined && outcome.refused.length > 0;
  const committed = commit === undefined || isRefused ? undefined : await commitAll(source, turn, commit);
  if (json) writeText(1, `${JSON.stringify({ ...outcome, ...(committed && { commit: committed }) })}\n`);
  else {
    const lines = [
      ...(outcome === undefined ? [] : discardLines(outcome, { paint: paintFor(1) })),
      ...(committed === undefined
        ? []
        : [`Committed ${countOf(committed.files_committed, 'file')} as ${committed.hash}`]),
      ...(commit !== undefined && isRefused ? ['Nothing was committed.'] : []),
    ];
    writeText(1, lines.map((line) => `${line}\n`).join(''));
  }
  return isRefused ? 1 : 0;
}

/** A word that is not the id of a hunk is a path; the tool refuses a path that the review does not have. */
async function hunksAndFiles(
  source: ReviewSource,
  turn: number | null,
  names: readonly string[],
): Promise<Parameters<ReviewSource['discard']>[0]> {
  const { files } = await source.get(turn);
  const ids = new Set(files.flatMap((file) => file.hunks.map(({ id }) => id)));
  const paths = new Set(files.map(({ path }) => path));
  const unknown = names.find((name) => !ids.has(name) && !paths.has(name));
  if (unknown !== undefined)
    throw new ToolError(
      'INVALID_ARGUMENTS',
      `${visible(unknown)} is not a hunk or file of this review. \`codelab review --json\` lists them.`,
    );
  return {
    turn,
    hunks: names.filter((name) => ids.has(name)),
    files: names.filter((name) => !ids.has(name)),
  };
}

async function commitAll(source: ReviewSource, turn: number | null, message: string) {
  const { commit } = await source.get(turn);
  if (commit === null)
    throw new ToolError('GIT_ERROR', 'There is nothing to commit: git sees no change in these files.');
  return await source.commit({ message, turn });
}

async function commentsOf(source: ReviewSource, turn: number | null): Promise<SentComments | undefined> {
  const comments = await source.comments(turn);
  if (comments === undefined)
    writeText(2, 'There are no unsent comments. In `codelab review`, press c to add one.\n');
  return comments;
}

type Sending = {
  workspace?: string;
  model?: string;
  approve?: string;
  session: string;
  comments: SentComments;
};

/** Sends the comments of a review as a turn of the reviewed session. Returns the exit code of the turn. */
async function sendComments({ session, comments, ...options }: Sending): Promise<number> {
  const { startRun } = await import('../run/start-run.ts');
  return await startRun(options, async ({ compose, messageOf, run }) => {
    await using composed = await compose(composeOptions(options));
    const last = await lastTurn(composed.log, session);
    const runOptions = { composed, session, ...(last && { profile: last.profile, lastModel: last.model }) };
    const { message, clear } = comments;
    const code = await run({ ...runOptions, message: messageOf(message, 'codelab review') });
    // The comments stay in the draft until the log has them.
    const events = await composed.log.read(session);
    if (events.some(({ body }) => body.type === 'turn.started' && body.text === message)) clear();
    return code;
  });
}
