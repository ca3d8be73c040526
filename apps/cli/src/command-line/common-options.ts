// Options that several commands share, each declared once.
import type { Options } from './define-command.ts';

export const commonOptions = {
  workspace: { type: 'string', value: 'DIR', summary: 'the folder to work in (default: this one)' },
  json: { type: 'boolean', summary: 'print JSON for programs' },
  dialect: {
    type: 'string',
    value: 'NAME',
    choices: ['codelab', 'agent', 'plugin', 'coder', 'kode'],
    summary: 'how messages are spelled',
  },
  profile: {
    type: 'string',
    value: 'NAME',
    summary: 'the role whose tools are offered: build, plan, ask, architect, debug or one of yours',
  },
  mode: {
    type: 'string',
    value: 'MODE',
    choices: ['strict', 'balanced', 'trusted'],
    summary: 'how much runs unasked (default: strict)',
  },
  scope: {
    type: 'string',
    value: 'SCOPE',
    choices: ['user', 'workspace'],
    summary: 'for you everywhere, or for this workspace',
  },
} as const satisfies Options;
