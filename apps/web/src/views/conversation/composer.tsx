// Where one says the next thing. What is typed lives here alone, so that a stream beside it costs no key press anything.
import { ArrowUp, Square } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { sessionsApi } from '../../api/sessions.ts';
import { shortcuts } from '../../keys.ts';
import { showView } from '../../layout/show-view.ts';
import { columnsNow } from '../../layout/use-columns.ts';
import { currentSession, useCurrentSession } from '../../session/current-session.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { toastError } from '../../ui/toast.tsx';
import { CompletionList } from './completion-list.tsx';
import { Pickers } from './pickers.tsx';
import { useComposer } from './use-composer.ts';

export function Composer() {
  const words = useText().conversation;
  const session = useCurrentSession();
  const field = useRef<HTMLTextAreaElement>(null);
  const { text, isSending, completion, onChange, onKeyDown, pick, submit } = useComposer(session, field);
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
    <div className="shrink-0 bg-surface px-3 pt-1 pb-3 two:px-5">
      <div className="relative mx-auto max-w-[52rem]">
        <CompletionList completion={completion} onPick={pick} />
        <div className="rounded-large border border-line-strong/60 bg-raised shadow-raised focus-within:border-accent focus-within:ring-1 focus-within:ring-accent">
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
            placeholder={words.placeholder}
            onChange={({ target }) => onChange(target.value, target.selectionStart)}
            onKeyDown={onKeyDown}
            onBlur={completion.close}
            className="block field-sizing-content max-h-[40dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 text-read outline-none placeholder:text-faint"
          />
          <div className="flex items-center gap-1 px-2 pb-2">
            <Pickers />
            <span className="flex-1" />
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
    sessionsApi
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
