// Actions on a message: copy it, quote it, edit it and send it again on a branch, or ask the model again.
import { Copy, Pencil, Quote, RotateCcw } from 'lucide-react';
import { quoteText } from '../../session/mention-file.ts';
import type { LogPlace, UserEntry } from '../../session/session-model.ts';
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { toast, toastError } from '../../ui/toast.tsx';
import { sendOnBranch } from './composer/send-on-branch.ts';
import { readSentMessage } from './load-sections.ts';

/** Actions appear when the message is pointed at or one of them has the focus; a touch screen shows them always. */
const look =
  'flex items-center gap-0.5 transition-opacity group-hover/message:opacity-100 focus-within:opacity-100 pointer-coarse:opacity-100';
/** Where a pointer can be over the message, they lie over its lower edge and take no room. */
const overEdge =
  'pointer-fine:absolute pointer-fine:right-0 pointer-fine:-bottom-3 pointer-fine:z-10 pointer-fine:rounded-base pointer-fine:border pointer-fine:border-line pointer-fine:bg-raised';

export function UserActions({ entry, onEdit }: { entry: UserEntry; onEdit(): void }) {
  const words = useText().conversation.act;
  // Actions that appear only under the pointer are hard to find, so the latest message always shows them.
  const isLatest = useSession(({ latestMessage }) => latestMessage === entry.key);
  return (
    <div className={cx(look, isLatest ? 'opacity-60' : 'opacity-0')}>
      <CopyButton text={entry.text} />
      <IconButton size="small" icon={Pencil} label={words.edit} onClick={onEdit} />
    </div>
  );
}

export function AnswerActions({ text, question }: { text: string; question: LogPlace | undefined }) {
  const words = useText().conversation.act;
  const isIdle = useSession(({ status }) => status === 'idle' || status === 'error');
  const retry = async (place: LogPlace): Promise<void> => {
    const message = await readSentMessage(place);
    if (message !== undefined) await sendOnBranch(message, { text: message.text, undoesFiles: false });
  };
  return (
    <div className={cx(look, overEdge, 'opacity-0')}>
      <CopyButton text={text} />
      <IconButton size="small" icon={Quote} label={words.quote} onClick={() => quoteText(text)} />
      {question !== undefined && isIdle && (
        <IconButton
          size="small"
          icon={RotateCcw}
          label={words.retry}
          onClick={() => void retry(question).catch(toastError)}
        />
      )}
    </div>
  );
}

function CopyButton({ text }: { text: string }) {
  const words = useText().conversation;
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(() => toast(words.copied), toastError);
  };
  return <IconButton size="small" icon={Copy} label={words.act.copy} onClick={copy} />;
}
