// What can be done with the whole record: prove it, take it along, see it large.
import type { SessionProof } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { Download, Maximize2, ShieldCheck, ShieldX } from 'lucide-react';
import { useState } from 'react';
import { useActions } from '../../actions/actions.ts';
import { api } from '../../api/api.ts';
import { showView } from '../../layout/show-view.ts';
import { useColumns } from '../../layout/use-columns.ts';
import { useText } from '../../text/use-text.ts';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Spinner } from '../../ui/spinner.tsx';
import { toastError } from '../../ui/toast.tsx';

export function AuditHead({ session, isLarge }: { session: string; isLarge: boolean }) {
  const words = useText().audit;
  const [proof, setProof] = useState<SessionProof | 'busy' | undefined>();
  const verify = (): void => {
    setProof('busy');
    api.audit
      .verify(session)
      .then(setProof)
      .catch((error: unknown) => {
        setProof(undefined);
        toastError(error);
      });
  };
  const action = {
    id: 'audit.verify',
    group: 'session',
    label: `${words.name}: ${words.verify}`,
    run: verify,
  } as const;
  // Large and small may both be open; one of them offers it.
  useActions(isLarge ? [] : [action]);
  const isBusy = proof === 'busy';
  const hasRoom = useColumns() > 1;
  return (
    <div className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <Button
          size="small"
          disabled={isBusy}
          icon={isBusy ? <Spinner className="size-3.5" /> : <ShieldCheck aria-hidden className="size-3.5" />}
          onClick={verify}
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
          <Button
            size="small"
            tone="quiet"
            icon={<Maximize2 aria-hidden className="size-3.5" />}
            onClick={() => showView('audit-large')}
          >
            {words.open}
          </Button>
        )}
      </div>
      <div role="status">{proof !== undefined && proof !== 'busy' && <Proven proof={proof} />}</div>
    </div>
  );
}

/** As a file of the person's own. */
async function saveRecord(session: string): Promise<void> {
  const text = await api.audit.export(session);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([text], { type: 'application/x-ndjson' }));
  link.download = `codelab-${session}.ndjson`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

function Proven({ proof: { ok, entries, broken } }: { proof: SessionProof }) {
  const words = useText().audit;
  const Icon = ok ? ShieldCheck : ShieldX;
  const said =
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
      {said}
    </p>
  );
}
