// A host for one folder of an editor: the runtime's tools under its built-in rules, with a log that ends with the process. The gateway
// has the decisions of its user, and the record.
import { realpathSync } from 'node:fs';
import {
  catalogue,
  checkRoot,
  createHost,
  createRuleBook,
  ensureFolder,
  type Host,
  openStateFolder,
  recover,
  type ToolDecorator,
} from '@codelab/runtime';
import { createMemoryLog } from './memory-log.ts';

export type LocalHostOptions = {
  /** The folder of the calls. */
  root: string;
  /** The client's own state folder, which stores deleted and replaced files. */
  home: string;
  /** Wraps every tool, for example to write through an editor. */
  decorate?: ToolDecorator;
  /** Called with a sentence about the recovery of an earlier process that died. */
  onNotice?(text: string): void;
};

export async function openLocalHost({ root, home, decorate, onNotice }: LocalHostOptions): Promise<Host> {
  ensureFolder(home);
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
