// The options of every command that runs a turn.
import { efforts } from '@codelab/protocol';
import { commonOptions, type Option, type Options } from '../command-line/define-command.ts';

export const turnOptions = {
  workspace: commonOptions.workspace,
  model: {
    type: 'string',
    value: 'PROVIDER/NAME',
    summary:
      'model, such as openai/gpt-5, or demo (default: CODELAB_MODEL, else the one set by `codelab model use`)',
  },
  effort: {
    type: 'string',
    value: 'LEVEL',
    choices: efforts,
    summary: "reasoning effort (default: CODELAB_EFFORT, else the model's default)",
  },
  output: {
    type: 'string',
    value: 'FORM',
    choices: ['text', 'json', 'stream-json', 'backend_only'],
    summary: 'output format (default: text)',
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

/** For commands that can start a session. */
export const worktreeOption = {
  type: 'string',
  value: 'NAME',
  isValueOptional: true,
  summary: 'start the session in a new git worktree, on the branch codelab/NAME',
} as const satisfies Option;
