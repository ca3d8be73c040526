// Makes a link by which somebody else, or the same person on another device, answers one question once.
import type { Session } from '@codelab/api';
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { shortTime } from '../../text/format.ts';
import { usePhrases } from '../../text/phrases.ts';
import { useViewText } from '../../text/use-text.ts';
import { RiskBadge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { TextField } from '../../ui/text-field.tsx';
import { toast, toastError } from '../../ui/toast.tsx';

export function ShareDialog({ line, onClose }: { line: Session; onClose(): void }) {
  const words = useViewText().sessions;
  const [waiting, setWaiting] = useState<ApprovalRequest[] | undefined>();
  useEffect(() => {
    const ending = new AbortController();
    api.approvals
      .pending(ending.signal)
      .then((all) => setWaiting(all.filter(({ session }) => session === line.id)))
      .catch((error: unknown) => !ending.signal.aborted && toastError(error));
    return () => ending.abort();
  }, [line.id]);
  return (
    <Dialog isOpen title={words.shareTitle} onClose={onClose}>
      <p className="mb-3 text-muted">{words.shareAbout}</p>
      {waiting === undefined && <Spinner label={words.shareTitle} />}
      {waiting?.length === 0 && <p>{words.shareNone}</p>}
      <ul className="flex flex-col gap-3">
        {waiting?.map((approval) => (
          <Shared key={approval.id} approval={approval} />
        ))}
      </ul>
    </Dialog>
  );
}

function Shared({ approval }: { approval: ApprovalRequest }) {
  const words = useViewText().sessions;
  const spoken = usePhrases();
  const [link, setLink] = useState<{ url: string; expires_at: string } | undefined>();
  const make = (): void =>
    void api.approvals.link(approval.session, approval.id).then(setLink).catch(toastError);
  return (
    <li className="rounded-base border border-line p-3">
      <p className="flex items-start gap-2">
        <span className="min-w-0 flex-1 wrap-anywhere">
          {visibleLine(spoken.plan(approval.plan).summary)}
        </span>
        <RiskBadge risk={approval.plan.risk} />
      </p>
      {link === undefined ? (
        <Button size="small" className="mt-2" onClick={make}>
          {words.shareMake}
        </Button>
      ) : (
        <div className="mt-2 flex items-end gap-2">
          <TextField
            readOnly
            label={words.link}
            value={link.url}
            hint={words.expires(shortTime(Date.parse(link.expires_at)))}
            onFocus={({ target }) => target.select()}
            className="flex-1"
          />
          <Button
            className="mb-5.5"
            icon={<Copy aria-hidden className="size-3.5" />}
            onClick={() => void copy(link.url, words)}
          >
            {words.copy}
          </Button>
        </div>
      )}
    </li>
  );
}

async function copy(url: string, words: { copied: string; copyFailed: string }): Promise<void> {
  try {
    await navigator.clipboard.writeText(url);
    toast(words.copied);
  } catch {
    toast(words.copyFailed, { tone: 'bad' });
  }
}
