// A host for one folder of an editor: the runtime's tools under its built-in rules, with a log that ends with the process. What its user
// decided, and the record of it, are with the gateway.
import { mkdirSync, realpathSync } from 'node:fs';
import {
  catalogue,
  checkRoot,
  createHost,
  createRuleBook,
  type Host,
  openStateFolder,
  recover,
  type ToolDecorator,
} from '@codelab/runtime';
import { createMemoryLog } from './memory-log.ts';

export type LocalHostOptions = {
  /** The folder that calls work in. */
  root: string;
  /** The client's own state folder: what is deleted or replaced is kept there. */
  home: string;
  /** Put around every tool, such as one that writes through an editor. */
  decorate?: ToolDecorator;
  /** Told in a sentence what was recovered from an earlier process that died. */
  onNotice?(text: string): void;
};

export async function openLocalHost({ root, home, decorate, onNotice }: LocalHostOptions): Promise<Host> {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const real = realpathSync(root);
  checkRoot(real, openStateFolder(home));
  const rules = createRuleBook({
    mode: 'strict',
    isModeFixed: true,
    sources: [],
    save: async () => undefined,
  });
  const host = createHost({ root: real, home, log: createMemoryLog(), tools: () => catalogue, rules });
  const { notices } = await recover(host);
  for (const notice of notices) onNotice?.(notice);
  return decorate === undefined ? host : host.decorated(decorate);
}
