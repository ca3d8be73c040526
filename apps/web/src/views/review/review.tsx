// The review of one call's change: every file and hunk, accepted or not, split or edited, and the resulting decision.
import type { ApprovalRequest } from '@codelab/protocol';
import { FileDiff } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { restoredTab } from '../../layout/layout-store.ts';
import { useColumns } from '../../layout/use-columns.ts';
import type { CallModel } from '../../session/session-model.ts';
import { useViewText } from '../../text/use-text.ts';
import { EmptyState } from '../../ui/spinner.tsx';
import type { ViewProps } from '../../view.ts';
import { useDecide, useTool } from '../approval/answering.ts';
import { SettledLine } from '../approval/decision-status.tsx';
import { useOlderCall } from '../conversation/load-sections.ts';
import { HunkEditor } from './hunk-editor.tsx';
import { ReviewBar } from './review-bar.tsx';
import { ReviewFiles } from './review-files.tsx';
import { ReviewFooter } from './review-footer.tsx';
import { type EnterState, onReviewKey, ReviewHelp } from './review-keys.tsx';
import { type Reveal, ReviewList } from './review-list.tsx';
import { type HunkChooser, useReviewLook, useReviewSession } from './review-session.ts';

/** `param` is the call. */
export function ApprovalReviewView({ param }: ViewProps) {
  const words = useViewText().review;
  const call = useOlderCall(param);
  const approval = call?.approval;
  if (call === undefined || approval === undefined || (approval.plan.diff?.text ?? '') === '')
    return <EmptyState icon={FileDiff} title={words.gone} hint={words.goneHint} />;
  return <Open key={approval.id} call={call} approval={approval} />;
}

type OpenProps = { call: CallModel; approval: ApprovalRequest };

function Open({ call, approval }: OpenProps) {
  const words = useViewText().review;
  const { session, isWaiting, isSending, feedback, setFeedback } = useOpenReview({ call, approval });
  const [hasHelp, setHasHelp] = useState(false);
  const help = (): void => setHasHelp(true);
  // After a reload the first Enter decides nothing: whoever pressed it may not have seen the review yet.
  const [enter, setEnter] = useState<EnterState>(restoredTab === `review:${call.id}` ? 'blocked' : 'ready');
  const isWide = useColumns() > 1;
  const isSplit = useReviewLook((look) => look.isSplit) && isWide;
  const root = useRef<HTMLElement>(null);
  const revealRow = useRef<Reveal | undefined>(undefined);
  const reveal = (key: string): void => revealRow.current?.(key);
  useFocusOnce(root);
  const go = (key: string): void => {
    const item = session.review.items.find((candidate) => candidate.key === key);
    if (item !== undefined) session.go(item);
    reveal(key);
  };
  const apply = (): void => void session.apply(feedback.trim());
  const controls = { session, isSending, reveal, enter, setEnter, apply, help };
  return (
    <section
      ref={root}
      aria-label={words.name}
      onKeyDown={(event) => onReviewKey(event, controls)}
      onPointerDown={() => setEnter('ready')}
      className="@container flex h-full min-h-0 flex-col"
    >
      <ReviewBar review={session.review} isSplit={isSplit} canSplit={isWide} onGo={go} onHelp={help} />
      {/* The rows lie over the list's own outline, so it is drawn above them. */}
      <div className="relative flex min-h-0 flex-1 after:pointer-events-none after:absolute after:inset-0 after:z-10 after:border-accent has-[[data-review-list]:focus-visible]:after:border-2">
        {session.review.files.length > 1 && <ReviewFiles session={session} onGo={go} />}
        <ReviewList session={session} isSplit={isSplit} reveal={revealRow} />
      </div>
      {session.canChoose ? (
        <ReviewFooter
          {...{ approval, session, isSending, feedback }}
          isAskedAgain={enter === 'again'}
          onFeedback={setFeedback}
        />
      ) : (
        <Closed call={call} isWaiting={isWaiting} />
      )}
      <Editing session={session} onClosed={() => focusList(root.current)} />
      <ReviewHelp keys={words.keys} isOpen={hasHelp} onClose={() => setHasHelp(false)} />
    </section>
  );
}

function useOpenReview({ call, approval }: OpenProps) {
  const tool = useTool(approval.tool);
  const isWaiting = call.state === 'awaiting_approval';
  const { isSending, decide } = useDecide(approval);
  const session = useReviewSession(approval, { tool, isWaiting, decide });
  const [feedback, setFeedback] = useState('');
  return { session, isWaiting, isSending, feedback, setFeedback };
}

function Closed({ call, isWaiting }: { call: CallModel; isWaiting: boolean }) {
  const words = useViewText().review;
  return (
    <footer className="shrink-0 border-t border-line bg-canvas px-3 py-2">
      {isWaiting ? <p className="text-muted">{words.readOnly}</p> : <SettledLine call={call} />}
    </footer>
  );
}

/** The editor of a hunk, while one is edited. */
export function Editing({ session, onClosed }: { session: HunkChooser; onClosed(): void }) {
  const { editing } = session;
  if (editing === undefined) return null;
  const close = (): void => {
    session.beginEdit(undefined);
    onClosed();
  };
  return (
    <HunkEditor
      key={editing.key}
      item={editing}
      labels={session.labels}
      onClose={close}
      onKeep={(hunk) => {
        session.edit(editing, hunk);
        close();
      }}
    />
  );
}

/** A review takes the focus when it opens, so that its keys work; a field that is typed in keeps it. */
export function useFocusOnce(root: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const { activeElement } = document;
    const isTyping = activeElement?.closest('input, textarea, select, dialog') != null;
    if (!isTyping) focusList(root.current);
  }, [root]);
}

export function focusList(root: HTMLElement | null): void {
  root?.querySelector<HTMLElement>('[data-review-list]')?.focus({ preventScroll: true });
}
