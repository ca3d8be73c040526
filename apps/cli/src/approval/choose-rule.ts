// Approve and remember: shows the exact rule, for how long it would hold, and asks for a plain yes.
import { type Decision, type Rule, type Scope, visible, visibleLine } from '@codelab/protocol';
import { type PastMatch, pastMatches, proposeRule } from '@codelab/runtime';
import { clockTime } from '../output/clock-time.ts';
import { askLine } from '../terminal/ask-line.ts';
import { type Choice, select } from '../terminal/select.ts';
import type { Asking } from './asking.ts';
import { timeLeft } from './time-left.ts';

export async function chooseRule(asking: Asking): Promise<Decision | undefined> {
  const { terminal, approval, signal, isOneOff } = asking;
  const footer = (): string => `${timeLeft(approval)} · ↑↓ or a letter, then Enter · Esc: back`;
  const widen = await chooseFree(asking);
  const rule = widen && proposeRule('allow', approval, widen);
  if (rule === undefined) return undefined;
  const { log, workspace } = asking.host;
  const past = (await pastMatches(log, workspace.root.real, rule)).filter(
    ({ callId }) => callId !== approval.callId,
  );
  terminal.output.write(`${ruleText(rule, asking)}\n${pastText(past, asking)}\n`);
  const scope = await select<Scope>(terminal, { choices: scopes(isOneOff), footer, signal });
  if (scope === undefined) return undefined;
  const choices: Choice<boolean>[] = [
    { key: 'y', label: 'Yes', hint: `remember this rule for ${meaning[scope]}`, value: true },
    { key: 'n', label: 'No', hint: 'back', value: false },
  ];
  const isSure = await select(terminal, { choices, footer, signal });
  return isSure === true
    ? { kind: 'approve', remember: { scope, rule, ...(rule.free && { widen: rule.free }) } }
    : undefined;
}

/** Which arguments of a tool of others may be anything from now on; undefined leads back. */
async function chooseFree({ terminal, approval, signal }: Asking): Promise<string[] | undefined> {
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

function scopes(isOneOff: boolean): Choice<Scope>[] {
  const session: Choice<Scope>[] = isOneOff
    ? []
    : [{ key: 's', label: 'Session', hint: meaning.session, value: 'session' }];
  return [
    ...session,
    { key: 'w', label: 'Workspace', hint: meaning.workspace, value: 'workspace' },
    { key: 'u', label: 'User', hint: meaning.user, value: 'user' },
  ];
}

function ruleText(rule: Rule, { terminal: { paint } }: Asking): string {
  const { prints, ...shown } = rule;
  const json = visible(JSON.stringify(shown, null, 2));
  const files = [...new Set(prints?.flatMap((one) => one.files.map(({ path }) => path)))];
  const held =
    files.length > 0 ? `  It holds while these stay as they are: ${visibleLine(files.join(', '))}\n` : '';
  return `${paint('bold', '  From now on this rule allows it unasked:')}\n${json.replace(/^/gm, '  ')}\n${held}`;
}

const maxPast = 5;

function pastText(past: readonly PastMatch[], { terminal: { paint } }: Asking): string {
  if (past.length === 0)
    return paint('dim', '  No earlier call in this workspace would have been allowed by it.\n');
  const lines = past
    .slice(0, maxPast)
    .map(({ at, summary }) => `    ${clockTime(at)}  ${visibleLine(summary).slice(0, 100)}`);
  const more = past.length > maxPast ? [`    and ${past.length - maxPast} more`] : [];
  const count = past.length === 1 ? '1 earlier call' : `${past.length} earlier calls`;
  return `${paint('bold', `  It would have allowed ${count} in this workspace:`)}\n${[...lines, ...more].join('\n')}\n`;
}
