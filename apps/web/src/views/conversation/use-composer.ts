// What the composer holds and what its keys do: the draft, sending, and completing at the caret.
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { onMention } from '../../session/mention-file.ts';
import { useSessionStore } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { toastError } from '../../ui/toast.tsx';
import { runCommand } from './commands.ts';
import { type Completion, useCompletion } from './completion.tsx';
import { keepDraft, readDraft, sendMessage } from './send-message.ts';

export type ComposerState = {
  text: string;
  isSending: boolean;
  completion: Completion;
  onChange(text: string, caret: number): void;
  onKeyDown(event: KeyboardEvent): void;
  pick(at: number): void;
  submit(): void;
};

export function useComposer(session: string, field: RefObject<HTMLTextAreaElement | null>): ComposerState {
  const words = useText().conversation;
  const [text, setText] = useDraft(session);
  const [isSending, setIsSending] = useState(false);
  const completion = useCompletion();
  useEffect(() =>
    onMention((path) => {
      const mention = `@${path} `;
      setText(text === '' || /\s$/.test(text) ? text + mention : `${text} ${mention}`);
      field.current?.focus();
    }),
  );
  const onChange = (next: string, caret: number): void => {
    setText(next);
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
  const submit = (): void => {
    const said = text.trim();
    if (said === '' || isSending) return;
    completion.close();
    if (runCommand(said, words)) {
      setText('');
      return;
    }
    // While a turn runs nothing can be said; what is typed stays.
    const { status } = useSessionStore.getState().model;
    if (status !== 'idle' && status !== 'error') return;
    setIsSending(true);
    sendMessage(said)
      .then((id) => {
        keepDraft(id, '');
        setText('');
      })
      .catch(toastError)
      .finally(() => setIsSending(false));
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (handleList(event, completion, pick)) return;
    if (event.key !== 'Enter' || event.shiftKey || event.altKey) return;
    event.preventDefault();
    submit();
  };
  return { text, isSending, completion, onChange, onKeyDown, pick, submit };
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

function useDraft(session: string): [string, (text: string) => void] {
  const [text, setText] = useState(() => readDraft(session));
  const shown = useRef(session);
  useEffect(() => {
    if (shown.current === session) return;
    shown.current = session;
    setText(readDraft(session));
  }, [session]);
  return [
    text,
    (next) => {
      setText(next);
      keepDraft(session, next);
    },
  ];
}
