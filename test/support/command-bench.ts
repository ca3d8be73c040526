// A workspace in which shell lines run as calls of their own, watched like commands are, so that undo can take them back.
import { spawnSync } from 'node:child_process';
import type { Outcome, Verdict } from '@codelab/protocol';
import { catalogue, createHost, createRuleBook, type RuleBook, runCall } from '@codelab/runtime';
import { openSqliteLog } from '@codelab/server';
import * as z from 'zod/mini';
import { defineTool, type RunContext } from '../../packages/runtime/src/define-tool.ts';
import { type WatchBudget, watchTree } from '../../packages/runtime/src/undo/watch-tree.ts';

export type CommandBench = AsyncDisposable & {
  /** Runs a line; what it changed is recorded. Returns the notes and the paths of the effects. */
  sh(line: string): Promise<{ notes: string[]; paths: string[] }>;
  call(tool: string, args?: Record<string, unknown>): Promise<Outcome>;
};

type Options = { root: string; home: string; budget?: WatchBudget; meanwhile?: () => Promise<unknown> };

export function commandBench({ root, home, budget, meanwhile }: Options): CommandBench {
  const shell = defineTool({
    name: 'shell',
    kind: 'execute',
    summary: 'Runs a line.',
    input: () => z.strictObject({ line: z.string() }),
    output: () => z.strictObject({ notes: z.array(z.string()) }),
    plan: ({ line }) => ({
      plan: { summary: line, risk: 'low', riskReason: '', touches: [], notes: [], basis: [] },
      intents: [],
      isUnforeseeable: true,
      prepared: undefined,
    }),
    async run({ line }, _prepared, context: RunContext) {
      const watch = await watchTree(context, budget);
      const ran = spawnSync('/bin/sh', ['-c', line], { cwd: root, encoding: 'utf8' });
      if (ran.stderr !== '') throw new Error(ran.stderr);
      await meanwhile?.();
      const { effects, notes } = await watch.effects();
      return { data: { notes }, effects };
    },
    tell: ({ notes }) => notes.join('\n'),
  });
  const log = openSqliteLog(home);
  const book = createRuleBook({ mode: 'trusted', sources: [], save: async () => undefined });
  const verdict: Verdict = {
    verdict: 'allow',
    risk: 'low',
    rule: 'test',
    layer: 'user',
    reason: 'a test',
    parts: [],
  };
  const rules: RuleBook = { ...book, judge: () => verdict };
  const host = createHost({ root, home, log, rules, tools: [...catalogue, shell] });
  let calls = 0;
  const call: CommandBench['call'] = (tool, args = {}) =>
    runCall(host, { id: `call_${++calls}`, session: 's1', dialect: 'codelab', tool, args });
  return {
    call,
    async sh(line) {
      const outcome = await call('shell', { line });
      if (outcome.status !== 'completed') throw new Error(JSON.stringify(outcome.error));
      return { notes: outcome.data.notes as string[], paths: outcome.effects.map(({ path }) => path).sort() };
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await log.close();
    },
  };
}
