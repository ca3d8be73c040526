// One approval above the field: the change, its risk, its remaining time, and the answers. It scrolls into view by itself
// and never takes the focus.
import { type DiffHunk, hunkHeader, readDiff, visible, visibleLine } from '@codelab/protocol';
import { Button, Checkbox, Countdown, cx, hunkRows, RiskBadge, UnifiedLine } from '@codelab/web';
import { OctagonAlert, TriangleAlert, X } from 'lucide-react';
import { Fragment, type ReactNode, useEffect, useId, useMemo, useRef, useState } from 'react';
import type { ApprovalView } from '../view/messages.ts';
import { RejectMenu } from './reject-menu.tsx';
import { postToExtension } from './store.ts';
import { useWords } from './words.ts';

const edges: Record<ApprovalView['risk'], string> = {
  low: 'border-good',
  medium: 'border-warn',
  high: 'border-high',
  critical: 'border-bad',
};

export function ApprovalBlock({ approval }: { approval: ApprovalView }) {
  const words = useWords();
  const id = useId();
  const block = useRef<HTMLElement>(null);
  useEffect(() => {
    block.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  const { key, change, isSending } = approval;
  const hunks = useMemo(() => Array.from({ length: change?.hunks ?? 0 }, (_, at) => at + 1), [change]);
  const [leftOut, setLeftOut] = useState<ReadonlySet<number>>(new Set());
  const taken = hunks.filter((number) => !leftOut.has(number));
  const toggle = (number: number, isTaken: boolean): void =>
    setLeftOut((old) => new Set(isTaken ? [...old].filter((at) => at !== number) : [...old, number]));
  const reject = (reason: string): void => postToExtension({ type: 'reject', key, reason });
  const isPart = taken.length < hunks.length;
  return (
    <section
      ref={block}
      aria-labelledby={id}
      data-approval={key}
      className={cx(
        'flex shrink-0 flex-col gap-2 rounded-base border border-l-4 bg-raised p-2',
        edges[approval.risk],
      )}
    >
      <Head id={id} approval={approval} onClose={() => reject(words.reasons[0] ?? '')} />
      {approval.command !== undefined && <CommandLine line={approval.command} cwd={approval.args.cwd} />}
      {change !== undefined && <Hunks change={change} leftOut={leftOut} onToggle={toggle} />}
      {approval.command === undefined && change === undefined && <Args args={approval.args} isOpen />}
      <footer className="flex flex-wrap items-center gap-1">
        <Button
          size="small"
          className="primary"
          disabled={isSending || (hunks.length > 0 && taken.length === 0)}
          onClick={() => postToExtension({ type: 'approve', key, ...(isPart && { hunks: taken }) })}
        >
          {isSending ? words.sending : isPart ? words.approveSome(taken.length, hunks.length) : words.approve}
        </Button>
        <RejectMenu isDisabled={isSending} onReject={reject} />
        {change !== undefined && (
          <Button size="small" tone="quiet" onClick={() => postToExtension({ type: 'review', key })}>
            {words.openDiff}
          </Button>
        )}
      </footer>
      {change === undefined && approval.command !== undefined && <Args args={approval.args} />}
    </section>
  );
}

function Head({ id, approval, onClose }: { id: string; approval: ApprovalView; onClose(): void }) {
  const words = useWords();
  const { risk, change, command, tool } = approval;
  const Icon = risk === 'critical' ? OctagonAlert : TriangleAlert;
  const title = change ? words.write(change.path) : command !== undefined ? words.run : words.asks(tool);
  return (
    <header className="flex flex-col gap-1">
      <div className="flex items-start gap-2">
        {(risk === 'high' || risk === 'critical') && (
          <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-high" />
        )}
        <h3 id={id} className="min-w-0 flex-1 font-semibold wrap-anywhere">
          {brokenAtSlashes(visibleLine(title))}
          {change?.isNew && <span className="font-normal text-muted"> ({words.newFile})</span>}
        </h3>
        <button
          type="button"
          aria-label={words.close}
          title={words.close}
          disabled={approval.isSending}
          onClick={onClose}
          className="rounded-small p-0.5 text-muted hover:bg-hover hover:text-text"
        >
          <X aria-hidden className="size-3.5" />
        </button>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <RiskBadge risk={risk} />
        <Countdown deadline={approval.deadline} />
      </div>
    </header>
  );
}

/** A long path wraps between its names before it wraps within one. */
function brokenAtSlashes(text: string): ReactNode[] {
  return text.split(/(?<=\/)/).map((part, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a name's place in the path is what tells it from others.
    <Fragment key={at}>
      {at > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}

function CommandLine({ line, cwd }: { line: string; cwd: unknown }) {
  return (
    <pre className="max-h-40 overflow-auto rounded-small bg-sunken px-2 py-1 font-mono text-small whitespace-pre-wrap wrap-anywhere">
      {typeof cwd === 'string' && cwd !== '.' && <span className="text-faint">{visibleLine(cwd)} </span>}
      <span className="text-faint select-none">$ </span>
      {visible(line)}
    </pre>
  );
}

type HunksProps = {
  change: NonNullable<ApprovalView['change']>;
  leftOut: ReadonlySet<number>;
  onToggle(number: number, isTaken: boolean): void;
};

function Hunks({ change, leftOut, onToggle }: HunksProps) {
  const hunks = useMemo(() => readDiff(change.diff)[0]?.hunks ?? [], [change.diff]);
  const digits = String(Math.max(1, ...hunks.map(({ newStart, newLines }) => newStart + newLines))).length;
  return (
    <div className="hunks flex max-h-72 flex-col gap-1 overflow-auto rounded-small border border-line bg-surface">
      {hunks.map((hunk, at) => (
        <HunkRows
          key={hunkHeader(hunk)}
          {...{ hunk, digits }}
          path={change.path}
          number={at + 1}
          isTaken={!leftOut.has(at + 1)}
          isAlone={hunks.length === 1}
          onToggle={onToggle}
        />
      ))}
    </div>
  );
}

const maxRows = 60;

type HunkProps = {
  hunk: DiffHunk;
  digits: number;
  path: string;
  number: number;
  isTaken: boolean;
  isAlone: boolean;
  onToggle(number: number, isTaken: boolean): void;
};

function HunkRows({ hunk, digits, path, number, isTaken, isAlone, onToggle }: HunkProps) {
  const words = useWords();
  const rows = hunkRows(hunk).unified;
  const label = <span className="font-mono text-tiny text-muted">{visibleLine(hunkHeader(hunk))}</span>;
  return (
    <div className={cx('min-w-fit', !isTaken && 'opacity-50')}>
      {!isAlone && (
        <div className="sticky left-0 w-fit px-2 py-0.5">
          <Checkbox
            isChecked={isTaken}
            onChange={(taken) => onToggle(number, taken)}
            label={
              <>
                {words.hunk(number)} {label}
              </>
            }
          />
        </div>
      )}
      {rows.slice(0, maxRows).map((row, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line's name is its place.
        <UnifiedLine key={at} {...{ row, hunk, path, digits }} whitespace="changed" isCrlf={false} />
      ))}
      {rows.length > maxRows && <p className="px-2 text-small text-muted">… {rows.length - maxRows}</p>}
    </div>
  );
}

function Args({ args, isOpen = false }: { args: Record<string, unknown>; isOpen?: boolean }) {
  const words = useWords();
  return (
    <details open={isOpen} className="text-small">
      <summary className="text-muted">{words.args}</summary>
      <pre className="max-h-48 overflow-auto font-mono text-small whitespace-pre-wrap wrap-anywhere">
        {visible(JSON.stringify(args, null, 2).slice(0, 20_000))}
      </pre>
    </details>
  );
}
