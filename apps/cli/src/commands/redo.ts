// `codelab redo`: brings again what the last `codelab undo` took back.
import '../shared.ts';
import { commonOptions } from '../command-line/compose-options.ts';
import { defineCommand } from '../command-line/define-command.ts';
import { runTakeBack } from '../undo/run-take-back.ts';
import { takeBackOptions } from '../undo/take-back-options.ts';

const { workspace, json } = commonOptions;

export const redo = defineCommand({
  words: '',
  takes: { min: 0, max: 0 },
  about: `Brings again what the last undo took back; again, what the undo before it did, as long as nothing else was changed since.
Exit code 1 when a file was refused, or when there is nothing to redo.`,
  options: { workspace, ...takeBackOptions, json },
  async run({ options }) {
    const { session, force = false } = options;
    const args = { ...(session === undefined ? { scope: 'workspace' } : { session }), force };
    return await runTakeBack({ verb: 'redo', args, ...(session === undefined ? {} : { session }) }, options);
  },
});
