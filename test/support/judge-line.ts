// Judges a line as the tool that runs it would.

import type { PolicyMode } from '@codelab/protocol';
import type { Confinement, Rule, Verdict } from '../../packages/protocol/src/index.ts';
import { holdReaders } from '../../packages/runtime/src/commands/hold-readers.ts';
import { sandboxHoldFor } from '../../packages/runtime/src/commands/plan-command.ts';
import { ruleFactsOf } from '../../packages/runtime/src/policy/match-rule.ts';
import { createRuleBook } from '../../packages/runtime/src/policy/rule-book.ts';
import { readLine } from '../../packages/runtime/src/policy/shell/read-line.ts';
import type { Workspace } from '../../packages/runtime/src/workspace/workspace.ts';

type Options = { mode?: PolicyMode; sandbox?: Confinement['sandbox']; cwd?: string; rules?: readonly Rule[] };

export async function judgeLine(
  workspace: Workspace,
  line: string,
  { mode = 'balanced', sandbox = 'none', cwd = '', rules = [] }: Options = {},
): Promise<Verdict> {
  const reading = await readLine(line, { workspace, cwd });
  const confinement = { sandbox, network: sandbox === 'none' };
  const { held } = await sandboxHoldFor(confinement, reading.parts, workspace.root.real);
  const { parts, touches, within } = holdReaders(reading, { confinement, held }, workspace);
  const command = { line, cwd: cwd || '.', parts, confinement };
  const book = createRuleBook({ mode, sources: [{ layer: 'user', rules }], save: async () => undefined });
  const facts = ruleFactsOf({ tool: 'run_command', kind: 'execute', profile: 'build' }, [
    ...touches,
    ...within,
  ]);
  const plan = {
    summary: line,
    risk: 'low' as const,
    riskReason: '',
    touches,
    notes: [],
    command,
    basis: [],
  };
  return book.judge(facts, plan, { peerAsks: false, sessionRules: [] });
}
