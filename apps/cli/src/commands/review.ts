// `codelab review`: the changes of a turn or a session as one diff; keep or discard hunks, comment on lines, commit.
import '../shared.ts';
import { commonOptions, defineCommand, UsageError } from '../command-line/define-command.ts';
import { turnOptions } from '../run/turn-options.ts';

const { workspace, json } = commonOptions;
const { model, approve } = turnOptions;

export const review = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Reviews what the agent and its commands changed, as one diff. In a terminal you go through the hunks: k keeps, d discards,
s splits, e edits, c comments on a line, ? shows help. Every answer is saved. At the end you discard the hunks you marked, send your
comments to the agent, or commit. \`codelab undo\` reverses a discard.
Default: all turns of the latest session in this workspace that changed files.`,
  options: {
    workspace,
    session: {
      type: 'string',
      value: 'ID',
      summary: 'this session (default: the latest that changed files)',
    },
    turn: { type: 'string', value: 'N', summary: 'only this turn' },
    json,
    diff: { type: 'boolean', summary: 'print the diff and exit' },
    discard: {
      type: 'string',
      value: 'HUNK|PATH',
      isRepeatable: true,
      summary: 'discard this hunk (an id that --json lists) or this file; can be repeated',
    },
    commit: { type: 'string', value: 'MESSAGE', summary: 'commit the files, after --discard' },
    send: { type: 'boolean', summary: 'send the comments to the agent and run a turn' },
    model,
    approve,
  },
  examples: [
    'codelab review',
    'codelab review --turn 2 --json',
    'codelab review --discard src/debug.js --commit "Add totals"',
  ],
  async run({ options }) {
    const { discard, commit, send, ...rest } = options;
    const turn = toTurn(options.turn);
    if (send && (discard !== undefined || commit !== undefined))
      throw new UsageError('Use --send alone: the agent continues after it.');
    if (rest.json && rest.diff) throw new UsageError('Give --json or --diff, not both.');
    const { runReview } = await import('../review-turn/run-review.ts');
    return await runReview({ ...rest, turn, discard: discard ?? [], commit, send: send ?? false });
  },
});

function toTurn(text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--turn must be a whole number, 1 or more.');
  return Number(text);
}
