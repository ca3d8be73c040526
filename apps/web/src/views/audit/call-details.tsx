// Everything the record has about one call, down to the hashes that chain its entries.
import { type Failure, type SessionEvent, visible, visibleLine } from '@codelab/protocol';
import { type ReactNode, useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { errorMessage, errorWords } from '../../error-help.ts';
import { useCall } from '../../session/session-store.ts';
import { dateTime, duration, exactTime } from '../../text/format.ts';
import { usePhrases } from '../../text/phrases.ts';
import { currentText, useViewText } from '../../text/use-text.ts';
import { Badge, RiskBadge } from '../../ui/badge.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { Table } from '../../ui/table.tsx';
import { type AuditRow, outcomeLooks } from './audit-rows.ts';

type Props = { row: AuditRow; session: string; onClose(): void };

export function CallDetails({ row, session, onClose }: Props) {
  const words = useViewText().audit;
  return (
    <Dialog isOpen size="large" title={words.details(row.title)} onClose={onClose}>
      <Facts row={row} />
      <h3 className="mt-5 mb-1 font-semibold">{words.entries}</h3>
      <p className="mb-2 text-small text-muted">{words.entriesHelp}</p>
      <Entries row={row} session={session} />
    </Dialog>
  );
}

function Facts({ row }: { row: AuditRow }) {
  const words = useViewText().audit;
  const spoken = usePhrases();
  const call = useCall(row.id);
  const { outcome, wait, run, who, via, askedBy, askedVia } = row;
  const error = call?.outcome !== undefined && 'error' in call.outcome ? call.outcome.error : undefined;
  return (
    <dl className="grid grid-cols-[max-content_1fr] gap-x-4 gap-y-1.5">
      <Fact name={words.outcome}>
        <Badge tone={outcomeLooks[outcome].tone}>{words.outcomes[outcome]}</Badge>
      </Fact>
      {error !== undefined && (
        <Fact name={words.error}>
          <FailureText error={error} />
        </Fact>
      )}
      <Fact name={words.tool}>
        <span className="font-mono">{visibleLine(row.tool)}</span>
      </Fact>
      <Fact name={words.callId}>
        <span className="font-mono text-small">{visibleLine(row.id)}</span>
      </Fact>
      {askedBy !== '' && (
        <Fact name={words.askedBy}>{words.by(visibleLine(askedBy), visibleLine(askedVia))}</Fact>
      )}
      <Fact name={words.began}>{dateTime(row.start)}</Fact>
      {wait !== undefined && <Fact name={words.waited}>{duration(wait.to - wait.from)}</Fact>}
      {run !== undefined && <Fact name={words.ran}>{duration(run.to - run.from)}</Fact>}
      <Fact name={words.person}>
        {who === ''
          ? outcome === 'waiting'
            ? words.outcomes.waiting
            : words.nobody
          : words.by(visibleLine(who), visibleLine(via))}
      </Fact>
      {call?.verdict !== undefined && (
        <Fact name={words.rule}>
          <span className="font-mono text-small">{call.verdict.rule}</span>{' '}
          {visibleLine(spoken.reason(call.verdict))}
        </Fact>
      )}
      {call?.plan !== undefined && (
        <Fact name={words.risk}>
          <RiskBadge risk={call.plan.risk} /> {visibleLine(spoken.plan(call.plan).riskReason)}
        </Fact>
      )}
    </dl>
  );
}

function FailureText({ error: { code, message } }: { error: Failure }) {
  const text = useViewText();
  const [what] = errorWords(text, code);
  return (
    <>
      <span className="font-mono text-small">{code}</span>{' '}
      <span className="whitespace-pre-wrap wrap-anywhere">
        {what !== '' && `${what}${text.conversation.colon}`}
        {visible(message)}
      </span>
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </>
  );
}

function Entries({ row: { id, seq, end }, session }: { row: AuditRow; session: string }) {
  const words = useViewText().audit;
  const [entries, setEntries] = useState<RecordEntry[] | undefined>();
  const [problem, setProblem] = useState('');
  // biome-ignore lint/correctness/useExhaustiveDependencies: when it ends there are more entries.
  useEffect(() => {
    const ending = new AbortController();
    readEntries(session, { id, seq }, ending.signal)
      .then(setEntries)
      .catch((error: unknown) => {
        if (!ending.signal.aborted) setProblem(errorMessage(error, currentText()));
      });
    return () => ending.abort();
  }, [session, id, seq, Math.floor(end / 2000)]);
  if (problem !== '') return <p className="text-bad">{problem}</p>;
  if (entries === undefined) return <Spinner label={words.entries} />;
  return (
    <Table
      label={words.entries}
      rows={entries}
      keyOf={(entry) => String(entry.seq)}
      columns={[
        { id: 'seq', label: words.entry, isNumber: true, cell: (entry) => entry.seq },
        { id: 'time', label: words.when, cell: ({ time }) => exactTime(time) },
        {
          id: 'type',
          label: words.event,
          cell: ({ type }) => <span className="font-mono text-small">{type}</span>,
        },
        {
          id: 'hash',
          label: words.hash,
          cell: ({ hash }) => <span className="font-mono text-tiny wrap-anywhere">{hash}</span>,
        },
      ]}
    />
  );
}

// The entries of the record that belong to one call, with their hashes.
type RecordEntry = { seq: number; time: number; type: string; hash: string };

// The entries of a call lie close together, unless the call waited long while others went on.
const mostPages = 10;

/** From its first entry until its last, or until so much was read that the rest must be looked up in the export. */
async function readEntries(
  session: string,
  { id, seq }: { id: string; seq: number },
  signal: AbortSignal,
): Promise<RecordEntry[]> {
  const found: RecordEntry[] = [];
  let since = seq - 1;
  for (let page = 0; page < mostPages; page++) {
    const { events, last_seq: head } = await api.sessions.log(session, { since: since }, signal);
    const ofCall = events.filter((event) => callOf(event) === id);
    found.push(...ofCall.map(({ seq: at, time, hash, body }) => ({ seq: at, time, type: body.type, hash })));
    since = events.at(-1)?.seq ?? head;
    if (since >= head || ofCall.some(({ body }) => body.type === 'call.finished')) break;
  }
  return found;
}

function callOf({ body }: SessionEvent): string | undefined {
  if (body.type === 'call.received') return body.call.id;
  return 'callId' in body ? body.callId : undefined;
}
