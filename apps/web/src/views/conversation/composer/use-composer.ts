// What the composer holds and what its keys do: the draft, sending, and completing at the caret.
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';
import { onMention, onQuote } from '../../../session/mention-file.ts';
import { useSessionStore } from '../../../session/session-store.ts';
import { useText } from '../../../text/use-text.ts';
import { toastError } from '../../../ui/toast.tsx';
import { type ComposerAnswer, useComposerAnswer } from '../../approval/questions.ts';
import { ownCommand, runOwnCommand, runSlashCommand } from './commands.ts';
import { type Completion, useCompletion } from './completion.tsx';
import { clearDraft, draftOfOtherDevice, joinDrafts, keepDraft, savedDraft } from './drafts.ts';
import { sendMessage } from './send-message.ts';

export type ComposerState = {
  text: string;
  completion: Completion;
  /** What Enter does where that is not to send a message; undefined otherwise. */
  hint: string | undefined;
  /** There while a call waits: what is typed answers it. */
  answer: ComposerAnswer | undefined;
  onChange(text: string, caret: number): void;
  onKeyDown(event: KeyboardEvent): void;
  pick(at: number): void;
  submit(pressedAt: number): void;
};

export function useComposer(session: string, field: RefObject<HTMLTextAreaElement | null>): ComposerState {
  const words = useText().conversation;
  const { text, setText, send } = useDraft(session);
  const completion = useCompletion();
  const answer = useComposerAnswer(text);
  useEffect(() =>
    onMention((path) => {
      const mention = `@${path} `;
      setText(text === '' || /\s$/.test(text) ? text + mention : `${text} ${mention}`);
      field.current?.focus();
    }),
  );
  useEffect(() =>
    onQuote((quoted) => {
      setText(text.trim() === '' ? `${quoted}\n\n` : `${text.trimEnd()}\n\n${quoted}\n\n`);
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
  const submit = (pressedAt: number): void => {
    const said = text.trim();
    if (said === '') return;
    completion.close();
    const own = ownCommand(said);
    if (own !== undefined) send(() => runOwnCommand(own));
    else if (runSlashCommand(said, words)) setText('');
    else if (answer !== undefined) {
      if (answer.wasReady(pressedAt)) send(() => answer.send(said));
    } else send(() => sendMessage(said).then(() => true), true);
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

/** Arrow-up in an empty field brings back what was said before, arrow-down what was said after that. */
function recall(event: KeyboardEvent, text: string, setText: (text: string) => void): boolean {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (step === undefined || event.shiftKey || event.altKey || event.ctrlKey || event.metaKey) return false;
  const said = useSessionStore
    .getState()
    .model.entries.flatMap((entry) => (entry.kind === 'user' ? [entry.text] : []));
  const at = text === '' ? said.length : said.lastIndexOf(text);
  if (at === -1) return false;
  const next = at + step;
  if (next < 0 || (text === '' && step > 0)) return false;
  setText(said[next] ?? '');
  event.preventDefault();
  return true;
}

type Draft = {
  text: string;
  setText(text: string): void;
  /** Takes the text out of the field at once, so that one can type on. Where it was not taken, it comes back before what was typed since.
   * What the outbox keeps is a draft no longer: after a reload it would be sent twice. */
  send(deliver: () => Promise<boolean>, isInOutbox?: boolean): void;
};

function useDraft(session: string): Draft {
  const [text, show] = useState(() => savedDraft(session));
  const now = useRef({ session, text, isSending: false });
  const put = (next: string): void => {
    now.current.text = next;
    show(next);
    keepDraft(now.current.session, next);
  };
  useEffect(() => {
    const before = now.current;
    if (before.session === session) return;
    now.current = { ...before, session };
    // The first message makes the session: what is typed meanwhile goes along.
    const next = before.session === '' && before.isSending ? before.text : savedDraft(session);
    now.current.text = next;
    show(next);
  }, [session]);
  useEffect(() => {
    const leaving = new AbortController();
    // Typed on another device, or before this browser forgot it.
    const { text: before } = now.current;
    void draftOfOtherDevice(session).then((draft) => {
      const { text: since, isSending } = now.current;
      if (draft === undefined || leaving.signal.aborted || since !== before || isSending) return;
      now.current.text = draft;
      show(draft);
    });
    return () => leaving.abort();
  }, [session]);
  const send = (deliver: () => Promise<boolean>, isInOutbox = false): void => {
    const { session: from, text: said } = now.current;
    now.current.isSending = true;
    now.current.text = '';
    show('');
    const delivered = deliver();
    if (isInOutbox) clearDraft(from);
    void delivered
      .catch((error: unknown) => {
        toastError(error);
        return false;
      })
      .then((isTaken) => {
        now.current.isSending = false;
        const isHere = from === now.current.session || from === '';
        if (isHere) put(isTaken ? now.current.text : joinDrafts(said, now.current.text));
        if (from === '' && from !== now.current.session) clearDraft('');
        if (isHere) return;
        // Somebody who looks at another session by now finds it where it was typed.
        const kept = savedDraft(from);
        if (isTaken && kept === said) clearDraft(from);
        if (!isTaken && kept !== said) keepDraft(from, joinDrafts(said, kept));
      });
  };
  return { text, setText: put, send };
}
