// A workspace in which shell lines run as separate calls, watched like commands, so that undo can revert them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import type { Outcome, Verdict } from '@codelab/protocol';
import {
  catalogue,
  createHost,
  createRuleBook,
  inspect,
  previewUndo,
  type RuleBook,
  runCall,
} from '@codelab/runtime';
import { openSqliteLog } from '@codelab/server';
import * as z from 'zod/mini';
import { watchTree } from '../../packages/runtime/src/commands/watch-tree.ts';
import type { Activity } from '../../packages/runtime/src/process/family/activity.ts';
import { birthNow } from '../../packages/runtime/src/process/family/family.ts';
import { watchFamily } from '../../packages/runtime/src/process/family/watch-family.ts';
import type { WatchBudget } from '../../packages/runtime/src/snapshot/kept-before.ts';
import { defineTool, type RunContext } from '../../packages/runtime/src/tool/define-tool.ts';

export type CommandBench = AsyncDisposable & {
  /** Runs a line and records its changes. Returns the notes and the paths of the effects. */
  sh(line: string): Promise<{ notes: string[]; paths: string[] }>;
  call(tool: string, args?: Record<string, unknown>): Promise<Outcome>;
  /** The preview of an undo. */
  preview(): ReturnType<typeof previewUndo>;
};

type Options = {
  root: string;
  home: string;
  budget?: WatchBudget;
  meanwhile?: () => Promise<unknown>;
  /** As on a system where processes can't be inspected. */
  isBlind?: boolean;
};

export function commandBench({ root, home, budget, meanwhile, isBlind }: Options): CommandBench {
  const shell = defineTool({
    name: 'shell',
    kind: 'execute',
    summary: 'Runs a line.',
    input: () => z.strictObject({ line: z.string() }),
    output: () => z.strictObject({ notes: z.array(z.string()), not_recorded: z.int() }),
    plan: ({ line }) => ({
      plan: { summary: line, risk: 'low', riskReason: '', touches: [], notes: [], basis: [] },
      intents: [],
      isUnforeseeable: true,
      prepared: undefined,
    }),
    async run({ line }, _prepared, context: RunContext) {
      // Nothing is held back after an approved command.
      const watch = await watchTree({ ...context, isAsked: true }, { budget });
      const activity = await runLine(line, root);
      await meanwhile?.();
      const { effects, notes, notRecorded } = await watch.effects({
        activity: isBlind ? undefined : activity,
        writes: [],
      });
      return { data: { notes, not_recorded: notRecorded }, effects };
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
  const host = createHost({ root, home, log, rules, tools: () => [...catalogue, shell] });
  let calls = 0;
  const call: CommandBench['call'] = (tool, args = {}) =>
    runCall(host, { id: `call_${++calls}`, session: 's1', dialect: 'codelab', tool, args });
  return {
    call,
    preview: () =>
      inspect(host, { session: 's1' }, (context) =>
        previewUndo(context, { verb: 'undo', selection: {}, isForced: false }),
      ),
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

async function runLine(line: string, cwd: string): Promise<Activity> {
  using watch = watchFamily(cwd);
  const birth = birthNow();
  const child = spawn('/bin/sh', ['-c', line], { cwd, detached: true, stdio: ['ignore', 'ignore', 'pipe'] });
  watch.follow({ pid: child.pid ?? 0, marker: `bench-${child.pid}.`, born: birth });
  const [errorOutput] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  if (errorOutput !== '') throw new Error(errorOutput);
  return watch.end();
}
