// Every dialect there is.
import type { DialectName } from '@codelab/protocol';
import { agent } from './agent/agent.ts';
import { codelab } from './codelab/codelab.ts';
import { coder } from './coder/coder.ts';
import type { Dialect } from './dialect.ts';
import { kode } from './kode/kode.ts';
import { plugin } from './plugin/plugin.ts';

export const dialects: Record<DialectName, Dialect> = {
  codelab,
  agent,
  plugin,
  coder,
  kode,
};
