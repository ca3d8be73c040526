// Messages that wait until the agent takes them: shown above the composer, editable, removable, each with when it is delivered.
import type { QueuedMessage } from '@codelab/protocol';
import { Pencil, Send, X } from 'lucide-react';
import { useState } from 'react';
import { api } from '../../../api/api.ts';
import { honestText } from '../../../markdown/honest-text.ts';
import { useSession } from '../../../session/session-store.ts';
import { useText } from '../../../text/use-text.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { toastError } from '../../../ui/toast.tsx';
import { DeliveryMenu } from './delivery-menu.tsx';

export function QueueList() {
  const words = useText().conversation.queue;
  const session = useSession(({ id }) => id);
  const queued = useSession((model) => model.queued);
  const isIdle = useSession(({ status }) => status === 'idle' || status === 'error');
  if (queued.length === 0) return null;
  return (
    <section aria-label={words.name} className="shrink-0 px-2 two:px-5">
      <div className="mx-auto flex max-w-[52rem] flex-col rounded-large border border-line bg-sunken">
        <ul className="flex max-h-40 flex-col divide-y divide-line overflow-y-auto">
          {queued.map((message) => (
            <Row key={message.id} session={session} message={message} />
          ))}
        </ul>
        {isIdle && (
          <div className="flex justify-end border-t border-line p-1">
            <Button
              size="small"
              icon={<Send aria-hidden className="size-3.5" />}
              onClick={() => void api.resume(session).catch(toastError)}
            >
              {words.sendNow}
            </Button>
          </div>
        )}
      </div>
    </section>
  );
}

function Row({ session, message }: { session: string; message: QueuedMessage }) {
  const words = useText().conversation.queue;
  const [isEditing, setIsEditing] = useState(false);
  if (isEditing) return <EditRow session={session} message={message} onEnd={() => setIsEditing(false)} />;
  return (
    <li className="flex items-center gap-1 py-0.5 pr-1 pl-3">
      <span className="min-w-0 flex-1 truncate" title={honestText(message.text)}>
        {honestText(message.text)}
      </span>
      <DeliveryMenu
        delivery={message.delivery}
        onPick={(delivery) =>
          void api.sessions.changeQueued(session, message.id, { delivery }).catch(toastError)
        }
      />
      <IconButton size="small" icon={Pencil} label={words.edit} onClick={() => setIsEditing(true)} />
      <IconButton
        size="small"
        icon={X}
        label={words.remove}
        onClick={() => void api.sessions.removeQueued(session, message.id).catch(toastError)}
      />
    </li>
  );
}

type EditProps = { session: string; message: QueuedMessage; onEnd(): void };

function EditRow({ session, message, onEnd }: EditProps) {
  const words = useText().conversation;
  const [text, setText] = useState(message.text);
  const save = (): void => {
    if (text.trim() === '') return;
    api.sessions.changeQueued(session, message.id, { content: text.trim() }).then(onEnd, toastError);
  };
  return (
    <li className="flex items-end gap-1 p-1.5">
      <textarea
        // biome-ignore lint/a11y/noAutofocus: it was opened to be typed in.
        autoFocus
        value={text}
        rows={2}
        aria-label={words.queue.edit}
        onChange={({ target }) => setText(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onEnd();
          if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
          event.preventDefault();
          save();
        }}
        className="field-sizing-content max-h-40 min-w-0 flex-1 resize-none rounded-base border border-line-strong/60 bg-surface px-2 py-1"
      />
      <Button size="small" tone="strong" onClick={save} disabled={text.trim() === ''}>
        {words.queue.save}
      </Button>
      <Button size="small" tone="quiet" onClick={onEnd}>
        {words.act.cancel}
      </Button>
    </li>
  );
}
