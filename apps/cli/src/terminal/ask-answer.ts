// The input line below a question: some keys decide at once while the line is empty, any other text is sent with Enter. Keys typed just after the
// question appeared, and pasted text, are text and decide nothing.
import '../shared.ts';
import type { Key } from 'node:readline';
import { type Draft, draftText, emptyDraft, paste, toDraft } from '../chat/input/draft.ts';
import { draftLines } from '../chat/input/draft-lines.ts';
import { editDraft } from '../chat/input/edit-draft.ts';
import { createScreen } from '../chat/screen/screen.ts';
import { cutToWidth } from '../output/text-width.ts';
import type { Tty } from './open-terminal.ts';
import { readKeys } from './read-keys.ts';

type Options<T> = {
  /** Text that was typed at an earlier question and not sent. */
  text?: string;
  /** Keys that decide at once while the line is empty. */
  keys: Readonly<Record<string, T>>;
  /** The footer for the text typed so far; empty while no key decides yet. */
  footer(text: string): string;
  signal: AbortSignal;
  /** Called with the unsent text when the question is over. */
  keep(text: string): void;
};

export type TypedAnswer<T> = { key: T } | { text: string };

/** A key pressed this soon after the question appeared was typed before the user read it. */
const unreadMs = 300;
const pasteOn = '\x1b[?2004h';
const pasteOff = '\x1b[?2004l';

export async function askAnswer<T>(terminal: Tty, options: Options<T>): Promise<TypedAnswer<T>> {
  const { footer, signal } = options;
  const { output, paint, size } = terminal;
  const screen = createScreen(terminal);
  const draw = (): void => {
    const { columns, rows } = size();
    const width = Math.max(20, columns - 1);
    const { draft, isRead } = input;
    const field = draftLines(draft, { columns: width, rows: Math.max(1, Math.floor(rows / 3)), paint });
    const below = isRead ? cutToWidth(`  ${footer(draftText(draft))}`, width) : '';
    screen.draw(() => ({ lines: [...field.lines, paint('dim', below)], cursor: field.cursor }));
  };
  const input = createAnswerInput(options, draw);
  const timers = [
    setTimeout(() => {
      input.isRead = true;
      draw();
    }, unreadMs),
    // The footer counts the remaining time down.
    setInterval(draw, 1000),
  ];
  output.write(pasteOn);
  let answer: TypedAnswer<T> | undefined;
  try {
    answer = await readKeys(terminal, { signal, isEarly: true, ready: draw, handleKey: input.handleKey });
    return answer;
  } finally {
    for (const timer of timers) clearTimeout(timer);
    screen.suspend();
    output.write(pasteOff);
    if (answer === undefined || 'key' in answer) options.keep(draftText(input.draft));
  }
}

type AnswerInput<T> = { draft: Draft; isRead: boolean; handleKey(key: Key): TypedAnswer<T> | undefined };

/** The input line of an answer: what each key does to it, and when the answer is complete. */
function createAnswerInput<T>({ keys, text }: Options<T>, draw: () => void): AnswerInput<T> {
  const input: AnswerInput<T> = { draft: text ? toDraft(text) : emptyDraft, isRead: false, handleKey };
  let pasted: string | undefined;
  const become = (next: Draft): undefined => {
    input.draft = next;
    draw();
  };
  function handleKey(key: Key): TypedAnswer<T> | undefined {
    if (key.name === 'paste-start') pasted = '';
    else if (key.name === 'paste-end') {
      const text = pasted ?? '';
      pasted = undefined;
      become(paste(input.draft, text));
    } else if (pasted !== undefined) pasted += key.sequence ?? '';
    else return heedTyped(key);
    return undefined;
  }
  function heedTyped(key: Key): TypedAnswer<T> | undefined {
    const { name = '', meta = false, sequence = '' } = key;
    const { draft, isRead } = input;
    const pressed = sequence.toLowerCase();
    if (isRead && draft.text === '' && Object.hasOwn(keys, pressed)) return { key: keys[pressed] as T };
    if (name === 'return' && !meta) return draft.text.trim() === '' ? undefined : { text: draftText(draft) };
    if (name === 'escape') return become(emptyDraft);
    const edited = editDraft(draft, key);
    return edited && become(edited);
  }
  return input;
}
