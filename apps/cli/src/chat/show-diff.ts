// `/diff` of the chat: the changes of a turn or a session that are in place.
import { diffText } from '../approval/diff-text.ts';
import { nothingChanged } from '../review-turn/review-flow.ts';
import { resumeReview } from '../review-turn/review-state.ts';
import { changesTitle, fileTitle } from '../review-turn/review-text.ts';
import type { CommandContext, CommandResult } from './commands/chat-command.ts';
import { latestTurn, sourceOf } from './review-turn.ts';

/** File by file, as the review has them; without a turn, the latest that changed files. */
export async function showDiff(
  turnChoice: number | 'all' | undefined,
  { chat, paint, columns }: CommandContext,
): Promise<CommandResult> {
  const source = sourceOf(chat);
  const turn =
    turnChoice === undefined ? await latestTurn(chat, source) : turnChoice === 'all' ? null : turnChoice;
  const loaded = turn === undefined ? undefined : await source.get(turn);
  if (loaded === undefined || loaded.files.length === 0)
    return { lines: [`  ${nothingChanged(turn ?? null)}`] };
  const state = resumeReview(loaded);
  const lines = loaded.files.flatMap((file, at) => [
    '',
    ...fileTitle(state, at, { paint, columns: columns - 2 }),
    ...diffText(
      {
        text: file.diff,
        additions: 0,
        deletions: 0,
        hunks: file.hunks.length,
        truncated: file.truncated ?? false,
      },
      { columns: columns - 2, paint, isNamed: true },
    ),
  ]);
  return { lines: [`  ${changesTitle(state, { paint })}`, ...lines.map((line) => `  ${line}`.trimEnd())] };
}
