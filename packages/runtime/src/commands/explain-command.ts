// The verdict on a shell line, without running it and without a tool that could.
import { type Command, englishText, highestRisk, ToolError, type Verdict } from '@codelab/protocol';
import { ruleFactsOf } from '../policy/match-rule.ts';
import type { RuleBook } from '../policy/rule-book.ts';
import type { SandboxChoice } from '../tool/define-tool.ts';
import type { Workspace } from '../workspace/workspace.ts';

type ExplainContext = { workspace: Workspace; rules: RuleBook; sandbox: SandboxChoice };
type Options = { cwd?: string | undefined; profile?: string | undefined };

export async function explainCommand(
  { workspace, rules, sandbox }: ExplainContext,
  line: string,
  { cwd: requestedCwd = '.', profile = 'build' }: Options = {},
): Promise<{ verdict: Verdict; command: Command; notes: readonly string[] }> {
  using place = workspace.locate(requestedCwd, { followLast: true, access: 'read', pathChars: 4096 });
  if (place.stat?.isDirectory() !== true)
    throw new ToolError(
      'NOT_A_DIRECTORY',
      `${requestedCwd} is not a folder of the workspace. Give one with --cwd DIR.`,
    );
  const cwd = place.path;
  const { confinementOf } = await import('../sandbox/confine.ts');
  const { sandboxHoldFor, sessionTmpFor } = await import('./plan-command.ts');
  const requestedConfinement = confinementOf(false, sandbox);
  // As in a session whose /tmp is still empty.
  const tmp = await sessionTmpFor(requestedConfinement, {
    home: '/dev/null',
    session: '',
    workspace,
    shows: [],
  });
  const { readLine } = await import('../policy/shell/read-line.ts');
  const read = await readLine(line, { workspace, cwd, tmp });
  const { askAboutLosses } = await import('../snapshot/not-kept.ts');
  const reading = { ...read, parts: await askAboutLosses(read, { workspace }) };
  const hold = await sandboxHoldFor(requestedConfinement, reading.parts, workspace.root.real);
  const { confinement } = hold;
  const { holdReaders, readingNotes } = await import('./hold-readers.ts');
  const { touches, within, missed, parts: judged } = holdReaders(reading, hold, workspace);
  const { fingerprint } = await import('../fingerprint/fingerprint.ts');
  const { parts, notes } = await fingerprint(judged, workspace, tmp);
  const command = { line, cwd, parts, confinement };
  const risk = highestRisk(parts.map((part) => part.risk));
  const plan = { summary: line, risk, riskReason: '', touches, notes: [], command, basis: [] };
  const facts = ruleFactsOf({ tool: 'run_command', kind: 'execute', profile }, [...touches, ...within]);
  return {
    verdict: rules.judge(facts, plan, { peerAsks: false, sessionRules: [] }),
    command,
    notes: [...notes, ...readingNotes(missed, parts, confinement)].map(englishText),
  };
}
