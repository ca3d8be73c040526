// The chat view: the conversation, the pending approvals, and the message field.
import { Button, Spinner, Toasts } from '@codelab/web';
import { ApprovalBlock } from './approval-block.tsx';
import { ChatComposer } from './composer.tsx';
import { postToExtension, useStore } from './store.ts';
import { ChatTranscript } from './transcript.tsx';
import { useWords } from './words.ts';

export function ChatApp() {
  const approvals = useStore((state) => state.approvals);
  return (
    <>
      <main className="flex h-full flex-col">
        <Banner />
        <ChatTranscript />
        {approvals.length > 0 && (
          <section aria-live="polite" className="flex max-h-[70%] flex-col gap-2 overflow-y-auto px-3 pb-2">
            {approvals.map((approval) => (
              <ApprovalBlock key={approval.key} approval={approval} />
            ))}
          </section>
        )}
        <Notice />
        <ChatComposer />
      </main>
      <Toasts />
    </>
  );
}

/** The problem that keeps the chat from working, and the button that helps. */
function Banner() {
  const words = useWords();
  const { connection, problem, remedy, isTrusted, hasFolder } = useStore((state) => state.state);
  if (connection === 'starting')
    return (
      <p role="status" className="flex items-center gap-2 px-3 py-2 text-muted">
        <Spinner className="size-3.5" /> {words.starting}
      </p>
    );
  if (problem !== '')
    return (
      <div
        role="alert"
        className="m-2 flex flex-col items-start gap-2 rounded-base bg-warn-soft p-2 text-warn"
      >
        <span className="wrap-anywhere">{problem}</span>
        {remedy !== undefined && (
          <Button size="small" className="secondary" onClick={() => postToExtension({ type: 'remedy' })}>
            {remedy.label}
          </Button>
        )}
      </div>
    );
  if (!hasFolder)
    return (
      <div className="m-2 flex flex-col items-start gap-2 rounded-base bg-sunken p-2">
        {words.noFolder}
        <Button
          size="small"
          className="primary"
          onClick={() => postToExtension({ type: 'run', command: 'openFolder' })}
        >
          {words.openFolder}
        </Button>
      </div>
    );
  return isTrusted ? null : <p className="m-2 rounded-base bg-warn-soft p-2 text-warn">{words.untrusted}</p>;
}

function Notice() {
  const notice = useStore((state) => state.notice);
  if (notice === '') return null;
  return (
    <p role="alert" className="mx-3 mb-2 rounded-base bg-bad-soft px-2 py-1 text-bad wrap-anywhere">
      {notice}
    </p>
  );
}
