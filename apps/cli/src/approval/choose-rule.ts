// Approve and remember: how far a rule reaches, the exact rule, how long it is kept, and a confirmation.
import { type Breadth, type Decision, type Rule, type Scope, visible, visibleLine } from '@codelab/protocol';
import { breadthText, type PastMatch, pastMatches, proposeBreadths, proposeRule } from '@codelab/runtime';
import { timeOfDay } from '../output/units.ts';
import { askLine } from '../terminal/ask-line.ts';
import { type MenuChoice, select } from '../terminal/select.ts';
import { type ApprovalPrompt, timeLeft } from './approval-prompt.ts';

type Offered = { breadth: Breadth; rule: Rule; past: readonly PastMatch[] };

export async function chooseRule(prompt: ApprovalPrompt): Promise<Decision | undefined> {
  const { terminal, signal, isOneOff } = prompt;
  const footer = footerOf(prompt);
  const widen = await chooseFree(prompt);
  const proposal = widen && (widen.length > 0 ? await widened(prompt, widen) : await chooseBreadth(prompt));
  if (proposal === undefined) return undefined;
  const { breadth, rule, past } = proposal;
  terminal.output.write(`${ruleText(rule, prompt)}\n${pastText(past, prompt)}\n`);
  const scope = await select<Scope>(terminal, { choices: scopes(isOneOff), footer, signal });
  if (scope === undefined) return undefined;
  const choices: MenuChoice<boolean>[] = [
    { key: 'y', label: 'Yes', hint: `remember this rule for ${meaning[scope]}`, value: true },
    { key: 'n', label: 'No', hint: 'back', value: false },
  ];
  const isSure = await select(terminal, { choices, footer, signal });
  return isSure === true
    ? { kind: 'approve', remember: { scope, breadth, rule, ...(rule.free && { widen: rule.free }) } }
    : undefined;
}

function footerOf({ approval }: ApprovalPrompt): () => string {
  const parts = (): string[] => [timeLeft(approval), '↑↓ or a letter, then Enter', 'Esc: back'];
  return () =>
    parts()
      .filter((text) => text !== '')
      .join(' · ');
}

const breadthKeys: Record<Breadth, string> = { exact: 'x', program: 'p', file: 'f', folder: 'd', all: 'a' };

/** The possible reaches of the rule, each with the past calls that it would have allowed. */
async function chooseBreadth(prompt: ApprovalPrompt): Promise<Offered | undefined> {
  const { terminal, approval, signal } = prompt;
  const proposals: Offered[] = [];
  for (const proposal of proposeBreadths(approval))
    proposals.push({ ...proposal, past: await earlier(prompt, proposal.rule) });
  if (proposals.length < 2) return proposals[0];
  const choices = proposals.map((proposal): MenuChoice<Offered> => {
    const text = visibleLine(breadthText(proposal.breadth, proposal.rule));
    const label =
      proposal.breadth === 'exact' ? 'Exactly this' : `Any ${text}`.replace(/^Any (all )?edits/, 'Edits');
    const hint = proposal.past.length === 0 ? 'no earlier call' : `${proposal.past.length} earlier`;
    return { key: breadthKeys[proposal.breadth], label, hint, value: proposal };
  });
  terminal.output.write(`${terminal.paint('bold', '  What should run unasked from now on?')}\n`);
  return await select(terminal, { choices, footer: footerOf(prompt), signal });
}

async function widened(prompt: ApprovalPrompt, widen: readonly string[]): Promise<Offered | undefined> {
  const rule = proposeRule('allow', prompt.approval, widen);
  return rule && { breadth: 'exact', rule, past: await earlier(prompt, rule) };
}

async function earlier({ host, approval }: ApprovalPrompt, rule: Rule): Promise<PastMatch[]> {
  const { log, workspace, rules } = host;
  const past = await pastMatches(log, workspace.root.real, rule, rules.mode);
  return past.filter(({ callId }) => callId !== approval.callId);
}

/** The arguments of a foreign tool that may have any value from now on; undefined leads back. */
async function chooseFree({ terminal, approval, signal }: ApprovalPrompt): Promise<string[] | undefined> {
  const { args = {} } = proposeRule('allow', approval) ?? {};
  const names = Object.keys(args);
  if (names.length === 0) return [];
  terminal.output.write(`  Its arguments: ${names.map(visibleLine).join(', ')}\n`);
  const prompt = '  Which of them may be anything next time? (names with commas · Enter: none · Esc: back) ';
  const answer = await askLine(terminal, { prompt, signal });
  return answer
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

const meaning: Record<Scope, string> = {
  once: 'this call',
  session: 'this session',
  workspace: 'this workspace',
  user: 'you, in every workspace',
};

function scopes(isOneOff: boolean): MenuChoice<Scope>[] {
  const session: MenuChoice<Scope>[] = isOneOff
    ? []
    : [{ key: 's', label: 'Session', hint: meaning.session, value: 'session' }];
  return [
    ...session,
    { key: 'w', label: 'Workspace', hint: meaning.workspace, value: 'workspace' },
    { key: 'u', label: 'User', hint: meaning.user, value: 'user' },
  ];
}

function ruleText(rule: Rule, { terminal: { paint } }: ApprovalPrompt): string {
  const { prints, ...ruleWithoutPrints } = rule;
  const json = visible(JSON.stringify(ruleWithoutPrints, null, 2));
  const files = [...new Set(prints?.flatMap((print) => print.files.map(({ path }) => path)))];
  const condition =
    files.length > 0 ? `  It holds while these stay as they are: ${visibleLine(files.join(', '))}\n` : '';
  return `${paint('bold', '  From now on this rule allows it unasked:')}\n${json.replace(/^/gm, '  ')}\n${condition}`;
}

const maxPast = 5;

function pastText(past: readonly PastMatch[], { terminal: { paint } }: ApprovalPrompt): string {
  if (past.length === 0)
    return paint('dim', '  No earlier call in this workspace would have been allowed by it.\n');
  const lines = past
    .slice(0, maxPast)
    .map(({ at, summary }) => `    ${timeOfDay(at)}  ${visibleLine(summary).slice(0, 100)}`);
  const overflowNote = past.length > maxPast ? [`    and ${past.length - maxPast} more`] : [];
  const count = past.length === 1 ? '1 earlier call' : `${past.length} earlier calls`;
  return `${paint('bold', `  It would have allowed ${count} in this workspace:`)}\n${[...lines, ...overflowNote].join('\n')}\n`;
}
