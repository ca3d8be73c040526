// The state of the composer and its keys: the draft, sending, and completion at the caret.
import { type KeyboardEvent, type RefObject, useEffect } from 'react';
import { onMention, onQuote } from '../../../session/mention-file.ts';
import { useSessionStore } from '../../../session/session-store.ts';
import { useText } from '../../../text/use-text.ts';
import { type ComposerAnswer, questionTypedFor, useComposerAnswer } from '../../approval/questions.ts';
import { ownCommand, runOwnCommand, runSlashCommand } from './commands.ts';
import { type Completion, useCompletion } from './completion.tsx';
import { useDraft } from './drafts.ts';
import { sendMessage } from './send-message.ts';

export type ComposerState = {
  text: string;
  completion: Completion;
  /** The effect of Enter where it does not send a message; undefined otherwise. */
  hint: string | undefined;
  /** There while a call waits: what is typed answers it. */
  answer: ComposerAnswer | undefined;
  onChange(text: string, caret: number, typedAt: number): void;
  onKeyDown(event: KeyboardEvent): void;
  pick(at: number): void;
  submit(pressedAt: number): void;
};

export function useComposer(session: string, field: RefObject<HTMLTextAreaElement | null>): ComposerState {
  const words = useText().conversation;
  const { text, typedFor, setDraft, send } = useDraft(session);
  const setText = (next: string, typedAt = performance.now()): void =>
    setDraft(next, questionTypedFor(typedAt));
  const completion = useCompletion();
  const answer = useComposerAnswer(text, typedFor);
  useInsertions(text, setText, field);
  const onChange = (next: string, caret: number, typedAt: number): void => {
    setText(next, typedAt);
    completion.look(next, caret);
  };
  const pick = (at: number): void => {
    const { wish, found, close } = completion;
    const insert = found[at]?.insert;
    if (wish === undefined || insert === undefined) return;
    setText(text.slice(0, wish.from) + insert + text.slice(wish.to));
    close();
    const caret = wish.from + insert.length;
    requestAnimationFrame(() => field.current?.setSelectionRange(caret, caret));
  };
  const submit = (pressedAt: number): void => {
    const message = text.trim();
    if (message === '') return;
    completion.close();
    const command = ownCommand(message);
    if (command !== undefined) send(() => runOwnCommand(command));
    else if (runSlashCommand(message, words)) setText('');
    else if (answer?.send !== undefined) {
      const { send: sendAnswer } = answer;
      if (answer.wasReady(pressedAt)) send(() => sendAnswer(message));
    } else if (answer?.wasShown(pressedAt) ?? true) send(() => sendMessage(message).then(() => true), true);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (handleList(event, completion, pick)) return;
    if (recall(event, text, setText)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (text.trim() !== '') submit(event.timeStamp);
    else if (isChord(event) && answer?.wasReady(event.timeStamp)) void answer.approve?.();
  };
  const hint = ownCommand(text) === undefined ? answer?.hint : words.runsOwn;
  return { text, completion, hint, answer, onChange, onKeyDown, pick, submit };
}

/** Puts in what other views hand to the field: the mention of a file, or a quoted message. */
function useInsertions(
  text: string,
  setText: (text: string) => void,
  field: RefObject<HTMLTextAreaElement | null>,
): void {
  useEffect(() =>
    onMention((path) => {
      const mention = `@${path} `;
      setText(text === '' || /\s$/.test(text) ? text + mention : `${text} ${mention}`);
      field.current?.focus();
    }),
  );
  useEffect(() =>
    onQuote((quote) => {
      setText(text.trim() === '' ? `${quote}\n\n` : `${text.trimEnd()}\n\n${quote}\n\n`);
      field.current?.focus();
    }),
  );
}

function isChord({ ctrlKey, metaKey, repeat }: KeyboardEvent): boolean {
  return (ctrlKey || metaKey) && !repeat;
}

/** Whether the key was meant for the list of completions. */
function handleList(event: KeyboardEvent, completion: Completion, pick: (at: number) => void): boolean {
  const { found, chosen, choose, close, wish } = completion;
  if (wish === undefined || found.length === 0) return false;
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (step !== undefined) choose((chosen + step + found.length) % found.length);
  else if (event.key === 'Escape') close();
  else if (event.key === 'Tab' && !event.shiftKey) pick(chosen);
  // A command that is typed whole is meant.
  else if (event.key === 'Enter' && found[chosen]?.insert !== wish.query) pick(chosen);
  else return false;
  event.preventDefault();
  return true;
}

/** Arrow-up in an empty field brings back the message before, arrow-down the one after that. */
function recall(event: KeyboardEvent, text: string, setText: (text: string) => void): boolean {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step === undefined || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
  const messages = useSessionStore.getState().model.sentTexts;
  const at = text === '' ? messages.length : messages.lastIndexOf(text);
  if (at === -1) return false;
  const next = at + step;
  if (next < 0 || (text === '' && step > 0)) return false;
  setText(messages[next] ?? '');
  event.preventDefault();
  return true;
}
