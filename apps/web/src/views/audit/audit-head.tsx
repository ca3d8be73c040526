// Actions on the whole record: verify it, export it, open it in a tab.
import type { SessionProof } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { Download, Maximize2, ShieldCheck, ShieldX } from 'lucide-react';
import { useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { useColumns } from '../../layout/use-columns.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { toastError } from '../../ui/toast.tsx';

type Props = { session: string; isLarge: boolean };

export function AuditHead({ session, isLarge }: Props) {
  const { proof, isBusy, verify } = useProof({ session, isLarge });
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <HeadButtons session={session} isLarge={isLarge} isBusy={isBusy} onVerify={verify} />
      </div>
      <div role="status">{proof !== undefined && <ProofResult proof={proof} />}</div>
    </div>
  );
}

function useProof({ session, isLarge }: Props) {
  const words = useViewText().audit;
  const [proof, setProof] = useState<SessionProof | undefined>();
  const [isBusy, setIsBusy] = useState(false);
  const verify = (): void => {
    setProof(undefined);
    setIsBusy(true);
    api.audit
      .verify(session)
      .then(setProof)
      .catch(toastError)
      .finally(() => setIsBusy(false));
  };
  const label = `${words.name}: ${words.verify}`;
  // Large and small may both be open; one of them offers the action.
  useActions(isLarge ? [] : [{ id: 'audit.verify', group: 'session', label, run: verify }]);
  return { proof, isBusy, verify };
}

function HeadButtons({ session, isLarge, isBusy, onVerify }: Props & { isBusy: boolean; onVerify(): void }) {
  const words = useViewText().audit;
  const hasRoom = useColumns() > 1;
  return (
    <>
      <Button
        size="small"
        disabled={isBusy}
        icon={isBusy ? <Spinner className="size-3.5" /> : <ShieldCheck aria-hidden className="size-3.5" />}
        onClick={onVerify}
      >
        {isBusy ? words.verifying : words.verify}
      </Button>
      <Button
        size="small"
        icon={<Download aria-hidden className="size-3.5" />}
        onClick={() => void saveRecord(session).catch(toastError)}
      >
        {words.export}
      </Button>
      {!isLarge && hasRoom && (
        <IconButton
          size="small"
          icon={Maximize2}
          label={words.open}
          className="ml-auto"
          onClick={() => showView('audit-large')}
        />
      )}
    </>
  );
}

/** Downloads the record as a file. */
async function saveRecord(session: string): Promise<void> {
  const text = await api.audit.export(session);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  link.download = `codelab-${session}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function ProofResult({ proof: { ok, entries, broken } }: { proof: SessionProof }) {
  const words = useViewText().audit;
  const Icon = ok ? ShieldCheck : ShieldX;
  const text =
    broken === undefined
      ? words.whole(entries)
      : broken.seq > 0
        ? words.broken(broken.seq, visibleLine(broken.why))
        : words.brokenElsewhere(visibleLine(broken.why));
  return (
    <p
      className={cx(
        'flex items-start gap-2 rounded-base border px-2.5 py-1.5 wrap-anywhere',
        ok ? 'border-good/30 bg-good-soft text-good' : 'border-bad/30 bg-bad-soft text-bad',
      )}
    >
      <Icon aria-hidden className="mt-0.5 size-4 shrink-0" />
      {text}
    </p>
  );
}
