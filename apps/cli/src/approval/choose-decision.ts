// Reads the answer to an approval: `y` decides immediately, other choices are a letter and Enter; any other text rejects and tells the
// model what to do instead. A choice may need one more answer; Escape there leads back here.
import { type Decision, visibleLine } from '@codelab/protocol';
import { proposeBreadths } from '@codelab/runtime';
import { hunkChooser } from '../review/hunk-chooser.ts';
import { askAnswer } from '../terminal/ask-answer.ts';
import { showPages } from '../terminal/pager.ts';
import { type MenuChoice as SelectChoice, select } from '../terminal/select.ts';
import { type ApprovalPrompt, type PromptContext, timeLeft } from './approval-prompt.ts';
import { approvalText } from './approval-text.ts';
import { chooseRule } from './choose-rule.ts';
import { editArguments } from './edit-arguments.ts';

type Next = (prompt: ApprovalPrompt) => Promise<Decision | undefined>;
type Choice<T> = { key: string; label: string; does: string; value: T };

export async function chooseDecision(prompt: ApprovalPrompt): Promise<Decision> {
  const choices = choicesFor(prompt);
  for (;;) {
    const answer = await askChoice(prompt, {
      yesLabel: 'yes',
      choices,
      timeLeft: () => timeLeft(prompt.approval),
    });
    if (answer.kind !== 'choice') return answer.kind === 'yes' ? { kind: 'approve' } : answer.no;
    const decision = await answer.value(prompt);
    if (decision !== undefined) return decision;
  }
}

type Chosen<T> = { kind: 'yes' } | { kind: 'no'; no: Decision } | { kind: 'choice'; value: T };
type Options<T> = { yesLabel: string; choices: readonly Choice<T>[]; timeLeft(): string };

/** The meaning of one line of an answer. */
export async function askChoice<T>(
  place: PromptContext,
  { yesLabel, choices, timeLeft }: Options<T>,
): Promise<Chosen<T>> {
  const choiceNamed = (text: string): Choice<T> | undefined =>
    choices.find(({ key, label }) => [key, label].includes(text.trim().toLowerCase()));
  const labels = ['n no', 'or type an answer', ...choices.map(({ key, label }) => `${key} ${label}`)];
  const all = (): string =>
    [`y ${yesLabel}`, ...labels, timeLeft()].filter((text) => text !== '').join(' · ');
  const footer = (text: string): string => {
    if (text.trim() === '') return all();
    if (isYes(text)) return `Enter: ${yesLabel}`;
    if (isNo(text)) return 'Enter: no · go on typing to say what to do instead';
    const choice = choiceNamed(text);
    if (choice !== undefined) return `Enter: ${choice.does}`;
    return isCommand(place, text)
      ? 'Enter: run it after this question'
      : 'Enter: no, and tell the model this';
  };
  const details = choices.find(({ key }) => key === '?');
  const keys = { y: 'yes' as const, ...(details && { '?': details }) };
  const keep = (text: string): void => place.keepText?.(text);
  for (;;) {
    const answer = await askAnswer<'yes' | Choice<T>>(place.terminal, {
      keys,
      footer,
      keep,
      signal: place.signal,
    });
    if ('key' in answer)
      return answer.key === 'yes' ? { kind: 'yes' } : { kind: 'choice', value: answer.key.value };
    const { text } = answer;
    const choice = choiceNamed(text);
    if (isYes(text)) return { kind: 'yes' };
    if (isNo(text)) return { kind: 'no', no: { kind: 'reject' } };
    if (choice !== undefined) return { kind: 'choice', value: choice.value };
    if (!isCommand(place, text)) return { kind: 'no', no: { kind: 'reject', feedback: text.trim() } };
    place.later?.(text.trim());
  }
}

const isYes = (text: string): boolean => /^\s*y(?:es)?\s*$/i.test(text);
const isNo = (text: string): boolean => /^\s*no?\s*$/i.test(text);
/** A command of the chat is no answer. */
const isCommand = ({ later }: PromptContext, text: string): boolean =>
  later !== undefined && /^\s*[/!]\S/.test(text);

function choicesFor(prompt: ApprovalPrompt): Choice<Next>[] {
  const { approval } = prompt;
  const chooseHunks = hunkChooser(prompt);
  // An allow rule only takes effect where no stricter rule matches.
  const canRemember = approval.verdict.rule.startsWith('default:') && proposeBreadths(approval).length > 0;
  return [
    { key: 'e', label: 'edit', does: 'edit the arguments, then run it', value: editArguments },
    ...(chooseHunks === undefined
      ? []
      : [
          {
            key: 'h',
            label: 'hunks',
            does: 'look at the hunks one by one, take only some',
            value: chooseHunks,
          },
        ]),
    ...(canRemember
      ? [{ key: 'w', label: 'always', does: 'approve, and remember a rule for next time', value: chooseRule }]
      : []),
    { key: '?', label: 'details', does: 'show everything about this call', value: showDetails },
  ];
}

async function showDetails({ terminal, approval, signal }: ApprovalPrompt): Promise<undefined> {
  const lines = approvalText(approval, { columns: terminal.size().columns, paint: terminal.paint });
  await showPages(terminal, { lines: ['', ...lines, ''], reserve: 3, signal });
}

/**
 * A question of the agent: its text is on the screen, and the user chooses one of its actions or declines. Of a diff that it
 * shows, they can take some hunks.
 * The letters leave out h, which stands for the hunks, and x, which declines.
 */
const actionKeys = '123456789abcdefgijkl';

export async function chooseAction(prompt: ApprovalPrompt): Promise<Decision> {
  const { terminal, approval, signal } = prompt;
  const choices = actionChoices(prompt);
  for (;;) {
    const next = await select<Next>(terminal, {
      choices,
      footer: () => `${timeLeft(approval)} · ↑↓ or a key, then Enter · Ctrl-C cancels the call`,
      signal,
    });
    const decision = await next?.(prompt);
    if (decision !== undefined) return decision;
  }
}

function actionChoices(prompt: ApprovalPrompt): SelectChoice<Next>[] {
  const actions = prompt.approval.plan.question?.actions ?? [];
  const chooseHunks = hunkChooser(prompt);
  return [
    ...(chooseHunks === undefined
      ? []
      : [{ key: 'h', label: 'Hunks…', hint: 'review them one by one, select some', value: chooseHunks }]),
    ...actions.map((action, i) => ({
      key: actionKeys.charAt(i),
      label: visibleLine(action),
      value: async (): Promise<Decision> => ({ kind: 'answer', action }),
    })),
    { key: 'x', label: 'Decline', hint: 'answer nothing', value: async () => ({ kind: 'reject' }) },
  ];
}
