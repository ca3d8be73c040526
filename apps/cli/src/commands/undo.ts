// `codelab undo`: takes back what calls did to the files of this workspace, byte for byte.
import '../shared.ts';
import { commonOptions } from '../command-line/compose-options.ts';
import { defineCommand, UsageError } from '../command-line/define-command.ts';
import { runTakeBack } from '../undo/run-take-back.ts';
import { takeBackOptions } from '../undo/take-back-options.ts';

const { workspace, json } = commonOptions;

export const undo = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Takes back the latest turn (or single call) that changed files here; again, the one before it.
A file that was changed since stays as it is and is named, and so is one that changed while a command ran when it is not
known by whom. Exit code 1 when one stays, or when there is nothing to undo.`,
  options: {
    workspace,
    ...takeBackOptions,
    turn: { type: 'string', value: 'N', summary: 'this turn of the session' },
    call: { type: 'string', value: 'ID', summary: 'only this call' },
    path: {
      type: 'string',
      value: 'PATH',
      summary: 'only this file, also when it is not known who changed it',
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
    return await runTakeBack({ verb: 'undo', args, ...(session === undefined ? {} : { session }) }, options);
  },
});

function toTurn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,8}$/.test(text)) throw new UsageError('--turn must be a number from 1 on.');
  return Number(text);
}
