// The text in the message field, kept for each session until it is sent: after a reload, without a connection and on another device.
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { sessionValue } from '../../../session/screen-state.ts';
import { toastError } from '../../../ui/toast.tsx';

const isText = (value: unknown): boolean => typeof value === 'string';
const drafts = sessionValue<string>('draft', isText);
const waitMs = 200;
let waiting: { session: string; text: string } | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;

// A test imports this file without a page.
globalThis.addEventListener?.('pagehide', flush);

function savedDraft(session: string): string {
  flush();
  return drafts.read(session) ?? '';
}

/** Written a moment later: a key press should not wait for the disk. */
function keepDraft(session: string, text: string): void {
  if (waiting !== undefined && waiting.session !== session) flush();
  waiting = { session, text };
  timer ??= setTimeout(flush, waitMs);
}

/** Written at once: the message is kept elsewhere from now on. */
function clearDraft(session: string): void {
  keepDraft(session, '');
  flush();
}

/** A text that was not taken stands before what was typed since. */
function joinDrafts(text: string, since: string): string {
  return since === '' ? text : `${text}\n${since}`;
}

/** Shows a text in the field if that is the field of `session`; returns whether it is. */
let showReturned: ((session: string, text: string) => boolean) | undefined;

/** Puts a text that was refused back into the field of its session, which may be on the screen already. */
export function returnToDraft(session: string, text: string): void {
  if (showReturned?.(session, text) !== true) keepDraft(session, joinDrafts(text, savedDraft(session)));
}

function flush(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting === undefined) return;
  const { session, text } = waiting;
  waiting = undefined;
  if (text !== (drafts.read(session) ?? '')) drafts.write(session, text);
}

/** A draft that another device wrote later; undefined where there is none. */
const draftOfOtherDevice = (session: string): Promise<string | undefined> => drafts.newer(session);

/** Messages that are being edited to be sent again, by their place in the log. */
const edits = sessionValue<Record<string, string>>(
  'edits',
  (value) => typeof value === 'object' && value !== null,
);

export function readEdit(session: string, key: string): string | undefined {
  return edits.read(session)?.[key];
}

/** Undefined when it was sent or given up. */
export function keepEdit(session: string, key: string, text: string | undefined): void {
  const { [key]: _old, ...others } = edits.read(session) ?? {};
  edits.write(session, text === undefined ? others : { ...others, [key]: text });
}

type Draft = Typed & {
  setDraft(text: string, typedFor: string | undefined): void;
  /**
   * Takes the text out of the field at once, so that one can type on. A text that was not taken comes back before what was typed since.
   * `isInOutbox`: the outbox keeps the text, which must not stay a draft as well: after a reload it would be sent twice.
   */
  send(deliver: () => Promise<boolean>, isInOutbox?: boolean): void;
};

/** `typedFor`: the question in front when the text was last edited. A text that was only restored is about none. */
type Typed = { text: string; typedFor?: string | undefined };

/** The current content of the field, for work that outlives a rendering. */
type Now = Typed & { session: string; isSending: boolean };

export function useDraft(session: string): Draft {
  const [typed, setTyped] = useState<Typed>(() => ({ text: savedDraft(session) }));
  const now = useRef<Now>({ session, ...typed, isSending: false });
  const show = useCallback((text: string, typedFor?: string): void => {
    now.current = { ...now.current, text, typedFor };
    setTyped({ text, typedFor });
  }, []);
  useDraftOfSession(session, now, show);
  useEffect(() => {
    showReturned = (of, text) => {
      if (of !== now.current.session) return false;
      show(joinDrafts(text, now.current.text));
      keepDraft(of, now.current.text);
      return true;
    };
    return () => {
      showReturned = undefined;
    };
  }, [show]);
  const setDraft = (next: string, typedFor: string | undefined): void => {
    show(next, typedFor);
    keepDraft(now.current.session, next);
  };
  const send = (deliver: () => Promise<boolean>, isInOutbox = false): void => {
    const { session: from, text: message, typedFor } = now.current;
    now.current.isSending = true;
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
        const { text: since, typedFor: sinceFor } = now.current;
        // Of two texts that were typed for different questions, the whole answers neither.
        const joinedFor = since === '' || sinceFor === typedFor ? typedFor : undefined;
        if (isHere)
          setDraft(
            ...(isTaken ? ([since, sinceFor] as const) : ([joinDrafts(message, since), joinedFor] as const)),
          );
        if (from === '' && from !== now.current.session) clearDraft('');
        if (!isHere) settleElsewhere(from, message, isTaken);
      });
  };
  return { ...typed, setDraft, send };
}

/** Shows the draft of the session that comes onto the screen, and a newer one of another device. */
function useDraftOfSession(session: string, now: RefObject<Now>, show: (text: string) => void): void {
  useEffect(() => {
    const before = now.current;
    if (before.session === session) return;
    now.current = { ...before, session };
    // The first message makes the session: what is typed meanwhile goes along.
    const next = before.session === '' && before.isSending ? before.text : savedDraft(session);
    show(next);
  }, [session, now, show]);
  useEffect(() => {
    const leaving = new AbortController();
    const { text: before } = now.current;
    void draftOfOtherDevice(session).then((draft) => {
      const { text: since, isSending } = now.current;
      if (draft === undefined || leaving.signal.aborted || since !== before || isSending) return;
      show(draft);
    });
    return () => leaving.abort();
  }, [session, now, show]);
}

/** Another session is on the screen by now: a text that was not taken is kept where it was typed. */
function settleElsewhere(session: string, message: string, isTaken: boolean): void {
  const draft = savedDraft(session);
  if (isTaken && draft === message) clearDraft(session);
  if (!isTaken && draft !== message) keepDraft(session, joinDrafts(message, draft));
}
