// Every dialect there is.
import { agent } from './agent/agent.ts';
import { codelab } from './codelab/codelab.ts';
import { coder } from './coder/coder.ts';
import type { Dialect } from './dialect.ts';
import { plugin } from './plugin/plugin.ts';

export const dialects: Record<'codelab' | 'agent' | 'plugin' | 'coder', Dialect> = {
  codelab,
  agent,
  plugin,
  coder,
};
