// The conversation: what was said and done, and where one says the next thing.
import { useSession } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { useLoadCatalogue } from './catalogue-store.ts';
import { Composer } from './composer.tsx';
import { MessageList } from './message-list.tsx';
import { PinnedApprovals } from './pinned-approvals.tsx';
import { Welcome } from './welcome.tsx';

export function Conversation() {
  useLoadCatalogue();
  const text = useText();
  const id = useSession((model) => model.id);
  const isEmpty = useSession(({ entries, live }) => entries.length === 0 && live === undefined);
  return (
    <section aria-label={text.conversation.name} className="flex h-full min-h-0 flex-col">
      {isEmpty ? <Welcome /> : <MessageList key={id} />}
      <PinnedApprovals />
      <Composer />
    </section>
  );
}
