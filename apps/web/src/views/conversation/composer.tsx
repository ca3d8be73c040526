// Where one says the next thing. What is typed lives here alone, so that a stream beside it costs no key press anything.
import { ArrowUp, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { api } from '../../api/api.ts';
import { shortcuts } from '../../keys.ts';
import { showView } from '../../layout/show-view.ts';
import { columnsNow, useColumns } from '../../layout/use-columns.ts';
import { currentSession, useCurrentSession } from '../../session/current-session.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { toastError } from '../../ui/toast.tsx';
import { CompletionList } from './completion.tsx';
import { Pickers } from './pickers.tsx';
import { useComposer } from './use-composer.ts';

export function Composer() {
  const words = useText().conversation;
  const session = useCurrentSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, isSending, completion, onChange, onKeyDown, pick, submit } = useComposer(session, field);
  const isPhone = useColumns() === 1;
  const isBusy = useSession(({ status }) => status !== 'idle' && status !== 'error');
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
  return (
    <div className="shrink-0 bg-surface px-2 pt-1 pb-2 two:px-5 two:pb-3">
      <div className="relative mx-auto max-w-[52rem]">
        <CompletionList completion={completion} onPick={pick} />
        {/* On a phone it is one line until somebody writes; its lower edge, and with it the button, stays where it is. */}
        <div className="group flex flex-wrap items-end rounded-large border border-line-strong/60 bg-raised shadow-raised focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
          <textarea
            ref={field}
            value={text}
            rows={1}
            aria-label={words.message}
            aria-autocomplete="list"
            aria-controls={completion.found.length > 0 ? 'completion' : undefined}
            aria-activedescendant={
              completion.found.length > 0 ? `completion-${completion.chosen}` : undefined
            }
            placeholder={isPhone ? words.placeholderShort : words.placeholder}
            onChange={({ target }) => onChange(target.value, target.selectionStart)}
            onKeyDown={onKeyDown}
            onBlur={completion.close}
            className="block field-sizing-content max-h-[40dvh] min-h-11 min-w-0 flex-1 basis-0 resize-none bg-transparent px-3.5 pt-3 text-[1rem] leading-6 outline-none group-focus-within:basis-full group-has-data-[state=open]:basis-full placeholder:text-faint two:basis-full two:text-read"
          />
          <div className="flex items-center gap-1 px-2 pb-2 group-focus-within:w-full group-has-data-[state=open]:w-full max-two:pb-1.5 two:w-full">
            <span className="flex min-w-0 flex-1 items-center gap-1 max-two:hidden max-two:group-focus-within:flex max-two:group-has-data-[state=open]:flex">
              <Pickers />
            </span>
            {isBusy && <StopButton />}
            {!isBusy && (
              <IconButton
                icon={ArrowUp}
                label={words.send}
                shortcut="Enter"
                disabled={text.trim() === '' || isSending}
                tone="strong"
                onClick={submit}
              />
            )}
          </div>
        </div>
      </div>
    </div>
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
