// The message field. Typed text is only in this component, so that a stream beside it does not slow down typing.
import { ArrowUp, Square } from 'lucide-react';
import {
  type ClipboardEvent,
  type DragEvent,
  type RefObject,
  Suspense,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useActions } from '../../../actions/actions.ts';
import { api } from '../../../api/api.ts';
import { shortcuts } from '../../../keys.ts';
import { showView } from '../../../layout/show-view.ts';
import { columnsNow, useColumns } from '../../../layout/use-columns.ts';
import { loadLater } from '../../../load-later.ts';
import { currentSession, useCurrentSession } from '../../../session/current-session.ts';
import { useSession } from '../../../session/session-store.ts';
import { useText } from '../../../text/use-text.ts';
import { Kbd } from '../../../ui/badge.tsx';
import { IconButton } from '../../../ui/button.tsx';
import { toastError } from '../../../ui/toast.tsx';
import { attachFrom, restoreImages } from './attached-images.ts';
import { CompletionList } from './completion.tsx';
import { DeliveryMenu } from './delivery-menu.tsx';
import { useAttachedImages } from './images-store.ts';
import { Pickers } from './pickers.tsx';
import { usePicks } from './send-message.ts';
import { type ComposerState, useComposer } from './use-composer.ts';

const AttachedImages = loadLater(async () => ({
  default: (await import('./attach-images.tsx')).AttachedImages,
}));

export function MessageComposer() {
  const words = useText().conversation;
  const session = useCurrentSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const composer = useComposer(session, field);
  const hasImages = useAttachedImages(({ of }) => (of[session]?.length ?? 0) > 0);
  useEffect(() => restoreImages(session), [session]);
  const focus = (): void => {
    showView('conversation');
    field.current?.focus();
  };
  useActions([{ id: 'conversation.focus', group: 'go', label: words.message, run: focus }]);
  useEffect(() => {
    // A new session is there to be written to, unless somebody is at something else; a phone's keyboard would cover it.
    const isFree = document.activeElement === document.body && columnsNow() > 1;
    if (session === '' && isFree) field.current?.focus();
  }, [session]);
  const canApprove = composer.text.trim() === '' && composer.answer?.approve !== undefined;
  return (
    <div className="shrink-0 bg-surface px-2 pt-1 pb-2 two:px-5 two:pb-3">
      <div className="relative mx-auto max-w-[52rem]">
        <CompletionList completion={composer.completion} onPick={composer.pick} />
        <EnterHint hint={composer.hint} canApprove={canApprove} />
        {/* On a phone it is one line until somebody writes; its lower edge, and with it the button, stays where it is. */}
        <div className="group flex flex-wrap items-end rounded-large border border-line-strong/60 bg-raised shadow-raised focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
          <Suspense>{hasImages && <AttachedImages session={session} />}</Suspense>
          <MessageField field={field} session={session} composer={composer} />
          <ComposerButtons composer={composer} />
        </div>
      </div>
    </div>
  );
}

type FieldProps = { field: RefObject<HTMLTextAreaElement | null>; session: string; composer: ComposerState };

function MessageField({ field, session, composer }: FieldProps) {
  const words = useText().conversation;
  const isPhone = useColumns() === 1;
  const { text, completion, answer, onChange, onKeyDown } = composer;
  const isCompleting = completion.found.length > 0;
  const takeImages = (event: ClipboardEvent | DragEvent, data: DataTransfer): void => {
    if (attachFrom(data, session)) event.preventDefault();
  };
  return (
    <textarea
      ref={field}
      value={text}
      rows={1}
      aria-label={words.message}
      aria-autocomplete="list"
      aria-controls={isCompleting ? 'completion' : undefined}
      aria-activedescendant={isCompleting ? `completion-${completion.chosen}` : undefined}
      placeholder={answer?.placeholder ?? (isPhone ? words.placeholderShort : words.placeholder)}
      onChange={({ target, timeStamp }) => onChange(target.value, target.selectionStart, timeStamp)}
      onKeyDown={onKeyDown}
      onDragOver={(event) => event.dataTransfer.types.includes('Files') && event.preventDefault()}
      onDrop={(event) => takeImages(event, event.dataTransfer)}
      onPaste={(event) => takeImages(event, event.clipboardData)}
      onBlur={completion.close}
      className="block field-sizing-content max-h-[40dvh] min-h-11 min-w-0 flex-1 basis-0 resize-none bg-transparent px-3.5 pt-3 text-[1rem] leading-6 outline-none group-focus-within:basis-full group-has-aria-expanded:basis-full placeholder:text-faint two:basis-full two:text-read"
    />
  );
}

function ComposerButtons({ composer: { text, hint, submit } }: { composer: ComposerState }) {
  const words = useText().conversation;
  const isBusy = useSession(({ status }) => status !== 'idle' && status !== 'error');
  const delivery = usePicks((picks) => picks.delivery);
  const isTyped = text.trim() !== '';
  return (
    <div className="flex items-center gap-1 px-2 pb-2 group-focus-within:w-full group-has-aria-expanded:w-full max-two:pb-1.5 two:w-full">
      <span className="flex min-w-0 flex-1 items-center gap-1 *:min-w-0 *:shrink [&>:first-child]:shrink-[9] max-two:hidden max-two:group-focus-within:flex max-two:group-has-aria-expanded:flex">
        <Pickers />
      </span>
      {isBusy && <StopButton />}
      {isBusy && hint === undefined && isTyped && (
        <DeliveryMenu delivery={delivery} onPick={(picked) => usePicks.setState({ delivery: picked })} />
      )}
      {(!isBusy || isTyped) && (
        <IconButton
          icon={ArrowUp}
          label={hint ?? (isBusy ? words.queue.send : words.send)}
          shortcut="Enter"
          disabled={!isTyped}
          tone="strong"
          onClick={({ timeStamp }) => submit(timeStamp)}
        />
      )}
    </div>
  );
}

/** Says what Enter does while a call waits, and when a command of one's own is typed. */
function EnterHint({ hint, canApprove }: { hint: string | undefined; canApprove: boolean }) {
  const words = useText().approval;
  return (
    <p role="status" className="flex items-center gap-1 px-1 pb-1 text-small text-muted empty:hidden">
      {hint}
      {canApprove && (
        <span className="flex items-center gap-1 max-two:hidden">
          <Kbd keys="Mod+Enter" /> {words.approvesNow}
        </span>
      )}
    </p>
  );
}

function StopButton() {
  const words = useText().conversation;
  const [isStopping, setIsStopping] = useState(false);
  const stop = (): void => {
    setIsStopping(true);
    api
      .cancel(currentSession())
      .catch(toastError)
      .finally(() => setIsStopping(false));
  };
  useActions([{ id: 'conversation.stop', group: 'session', label: words.stop, run: stop }]);
  return (
    <IconButton
      icon={Square}
      label={isStopping ? words.stopping : words.stop}
      shortcut={shortcuts['conversation.stop']}
      disabled={isStopping}
      tone="danger"
      onClick={stop}
    />
  );
}
