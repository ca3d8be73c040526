// The verdict on a shell line without running it, and without a tool that could.
import { type Command, highestRisk, ToolError, type Verdict } from '@codelab/protocol';
import { factsOf } from '../policy/match-rule.ts';
import type { RuleBook } from '../policy/rule-book.ts';
import type { SandboxChoice } from '../tool/define-tool.ts';
import type { Workspace } from '../workspace/workspace.ts';

type Explained = { workspace: Workspace; rules: RuleBook; sandbox: SandboxChoice };
type Options = { cwd?: string | undefined; profile?: string | undefined };

export async function explainCommand(
  { workspace, rules, sandbox }: Explained,
  line: string,
  { cwd: asked = '.', profile = 'build' }: Options = {},
): Promise<{ verdict: Verdict; command: Command; notes: readonly string[] }> {
  using place = workspace.locate(asked, { followLast: true, access: 'read', pathChars: 4096 });
  if (place.stat?.isDirectory() !== true)
    throw new ToolError(
      'NOT_A_DIRECTORY',
      `${asked} is not a folder of the workspace. Give one with --cwd DIR.`,
    );
  const cwd = place.path;
  const { readLine } = await import('../policy/shell/read-line.ts');
  const { parts: judged, touches, within } = await readLine(line, { workspace, cwd });
  const { fingerprint } = await import('../fingerprint/fingerprint.ts');
  const { parts, notes } = await fingerprint(judged, workspace);
  const { confinementOf } = await import('../sandbox/confine.ts');
  const { holdOf } = await import('./plan-command.ts');
  const { confinement } = await holdOf(confinementOf(false, sandbox), parts, workspace.root.real);
  const command = { line, cwd, parts, confinement };
  const risk = highestRisk(parts.map((part) => part.risk));
  const plan = { summary: line, risk, riskReason: '', touches, notes: [], command, basis: [] };
  const facts = factsOf({ tool: 'run_command', kind: 'execute', profile }, [...touches, ...within]);
  return { verdict: rules.judge(facts, plan, { peerAsks: false, sessionRules: [] }), command, notes };
}
