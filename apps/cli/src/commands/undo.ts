// `codelab undo` reverses what calls did to the files of this workspace, byte for byte; `codelab redo` reverses the last undo.
import '../shared.ts';
import { commonOptions, defineCommand, UsageError } from '../command-line/define-command.ts';
import { runUndo, undoOptions } from '../undo/run-undo.ts';

/** `codelab undo`: reverses the changes of calls to the files of this workspace, byte for byte. */
const { workspace, json } = commonOptions;

export const undoCommand = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Undoes the latest turn (or single call) that changed files here; run it again to undo the one before.
Files that were changed since are skipped and listed, and so are files that changed while a command ran when it is unclear
who changed them. Exit code 1 when a file was skipped, or when there is nothing to undo.`,
  options: {
    workspace,
    ...undoOptions,
    turn: { type: 'string', value: 'N', summary: 'undo this turn of the session' },
    call: { type: 'string', value: 'ID', summary: 'undo only this call' },
    path: {
      type: 'string',
      value: 'PATH',
      summary: 'undo only this file, even if it is unclear who changed it',
    },
    json,
  },
  examples: ['codelab undo --dry-run', 'codelab undo --session s1 --turn 3'],
  async run({ options }) {
    const { session, call, path, force = false } = options;
    if (call !== undefined && options.turn !== undefined)
      throw new UsageError('Give --turn or --call, not both.');
    const turn = toTurn(options.turn);
    const args = {
      ...(session === undefined ? { scope: 'workspace' } : { session }),
      ...(call === undefined ? {} : { call_id: call }),
      ...(turn === undefined ? {} : { turn }),
      ...(path === undefined ? {} : { paths: [path] }),
      force,
    };
    return await runUndo({ verb: 'undo', args, ...(session === undefined ? {} : { session }) }, options);
  },
});

function toTurn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--turn must be a whole number, 1 or more.');
  return Number(text);
}

/** `codelab redo`: reverses the last `codelab undo`. */
export const redoCommand = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Redoes what the last undo reversed; run it again for the undo before, as long as nothing else was changed since.
Exit code 1 when a file was skipped, or when there is nothing to redo.`,
  options: { workspace, ...undoOptions, json },
  async run({ options }) {
    const { session, force = false } = options;
    const args = { ...(session === undefined ? { scope: 'workspace' } : { session }), force };
    return await runUndo({ verb: 'redo', args, ...(session === undefined ? {} : { session }) }, options);
  },
});
