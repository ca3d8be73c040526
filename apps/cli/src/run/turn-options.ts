// The options of every command that runs a turn.
import { efforts } from '@codelab/protocol';
import { commonOptions } from '../command-line/compose-options.ts';
import type { Option, Options } from '../command-line/define-command.ts';

export const turnOptions = {
  workspace: commonOptions.workspace,
  model: {
    type: 'string',
    value: 'PROVIDER/NAME',
    summary: 'such as openai/gpt-5, or demo (default: CODELAB_MODEL, else what `codelab model use` chose)',
  },
  effort: {
    type: 'string',
    value: 'LEVEL',
    choices: efforts,
    summary: "how much the model reasons (default: CODELAB_EFFORT, else the model's own)",
  },
  output: {
    type: 'string',
    value: 'FORM',
    choices: ['text', 'json', 'stream-json', 'backend_only'],
    summary: 'what is printed (default: text)',
  },
  approve: {
    type: 'string',
    value: 'HOW',
    choices: ['ask', 'never', 'all'],
    summary: 'how approvals are answered (default: ask on a terminal, else never)',
  },
  profile: commonOptions.profile,
  mode: commonOptions.mode,
} as const satisfies Options;

/** Only where a session can be begun. */
export const worktreeOption = {
  type: 'string',
  value: 'NAME',
  isValueOptional: true,
  summary: 'begin a session in a git worktree of its own, on the branch codelab/NAME',
} as const satisfies Option;
