// The conversation: the list of messages, pending approvals and the composer.

import { Suspense, useEffect, useState } from 'react';
import { loadLater } from '../../load-later.ts';
import { useLoadBranches } from '../../session/branches.ts';
import { useCurrentSession } from '../../session/current-session.ts';
import { useOutbox } from '../../session/outbox.ts';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import { useSettings } from '../../settings-store.ts';
import { useText } from '../../text/use-text.ts';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { loadView } from '../../view.ts';
import { ReviewPrompt } from '../session-review/review-prompt.tsx';
import { Suggestions } from '../tour/suggestions.tsx';
import { useTour } from '../tour/tour-store.ts';
import { WorktreeGone } from '../worktrees/worktree-choice.tsx';
import { useLoadCatalogue } from './composer/catalogue-store.ts';
import { useStatusDialog } from './composer/commands.ts';
import { MessageComposer } from './composer/composer.tsx';
import { MessageList } from './message-list.tsx';

export function ConversationView() {
  useLoadCatalogue();
  useLoadBranches();
  const text = useText();
  const id = useSession((model) => model.id);
  const isSilent = useSession(({ entries, live }) => entries.length === 0 && live === undefined);
  const isEmpty = useOutbox(({ waiting }) => !waiting.some(({ session }) => session === id)) && isSilent;
  const isStatus = useStatusDialog(({ isOpen }) => isOpen);
  const hasWorktree = useSession(({ worktree }) => worktree !== undefined);
  const isQueued = useSession(({ queued }) => queued.length > 0);
  return (
    <section aria-label={text.conversation.name} className="flex h-full min-h-0 flex-col">
      {isEmpty ? <Welcome /> : <MessageList key={id} />}
      <PinnedApprovals />
      <Suspense fallback={null}>
        {isQueued && <QueueList />}
        {hasWorktree && <WorktreeGone />}
        <ReviewPrompt />
        {isStatus && <StatusDialog />}
      </Suspense>
      <MessageComposer />
    </section>
  );
}

/** Loaded only where nobody has chosen how to work yet. */
const FirstStart = loadLater(async () => ({
  default: (await import('../modes/first-start.tsx')).FirstStart,
}));

/** Loaded only where nobody has decided about the folder's instructions yet. */
const InstructionTrustChoice = loadLater(async () => ({
  default: (await import('../modes/instruction-trust.tsx')).InstructionTrustChoice,
}));

/** Shown before the first message. */
function Welcome() {
  const text = useText();
  const isTouring = useTour(({ step }) => step !== undefined);
  const isFirst = useIsFirstStart();
  const settings = useSettings();
  const isUndecided = settings?.instructions?.trust === 'undecided';
  const isLoading = useSessionStore(({ connection }) => connection === 'loading');
  return (
    <div
      className={cx(
        'flex min-h-0 flex-1 flex-col items-center gap-2 overflow-y-auto p-6 text-center',
        // A form opens below the providers, and must not move them.
        settings?.model === '' ? 'justify-start pt-[8dvh]' : 'justify-center-safe',
        // On a phone the card of the tour has the upper half.
        isTouring && 'max-two:justify-end',
      )}
    >
      {isLoading ? (
        <Spinner label={text.frame.connection.loading} />
      ) : isFirst ? (
        <Suspense fallback={null}>
          <FirstStart />
        </Suspense>
      ) : (
        <>
          <p className="text-[1.375rem] leading-tight font-semibold tracking-tight">
            {text.conversation.welcome}
          </p>
          <p className="max-w-96 text-muted">{text.conversation.welcomeHint}</p>
          <Suggestions />
        </>
      )}
      {isUndecided && !isLoading && (
        <Suspense fallback={null}>
          <InstructionTrustChoice isAsking />
        </Suspense>
      )}
    </div>
  );
}

/** Whether a person with their own model is here for the first time and has to choose how to work. */
function useIsFirstStart(): boolean {
  const settings = useSettings();
  const isNew = useCurrentSession() === '';
  if (settings === undefined || !isNew || !settings.is_operator) return false;
  return settings.mode_from === 'default' && settings.model !== '' && !settings.is_demo;
}

/** Loaded when something is queued. */
const QueueList = loadLater(async () => ({ default: (await import('./composer/queue-list.tsx')).QueueList }));

/** Loaded when somebody asks. */
const StatusDialog = loadLater(async () => ({
  default: (await import('./composer/status-dialog.tsx')).StatusDialog,
}));

/** Pending approvals, always in sight above the composer. Their code is loaded with the first one. */
const WaitingList = loadView(async () => ({
  default: (await import('../approval/waiting-list.tsx')).WaitingList,
}));

function PinnedApprovals() {
  const text = useText();
  const id = useSession((model) => model.id);
  const isWaiting = useSession(({ pending }) => pending.length > 0);
  const [wasWaiting, setWasWaiting] = useState(isWaiting);
  useEffect(() => {
    if (isWaiting) setWasWaiting(true);
  }, [isWaiting]);
  if (!wasWaiting) return null;
  return (
    <Suspense fallback={<Spinner label={text.frame.loading} />}>
      <WaitingList key={id} />
    </Suspense>
  );
}
