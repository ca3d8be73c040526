// The details of an approval: the rule that asks, every path and program, the sandbox, and the call word for word.
import {
  type ApprovalRequest,
  type BlastRadius,
  type Command,
  type Touch,
  visible,
  visibleLine,
} from '@codelab/protocol';
import { type ReactNode, useMemo, useState } from 'react';
import { bytes } from '../../../text/format.ts';
import { usePhrases } from '../../../text/phrases.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { cx } from '../../../ui/cx.ts';
import { AllParts } from './command-line.tsx';
import { fewNotes, isRepeated, type TouchLine, touchLines } from './plan-facts.ts';

export function ApprovalDetails({ id, approval }: { id: string; approval: ApprovalRequest }) {
  const words = useViewText().approval;
  const { plan, verdict, tool, args } = approval;
  const { command, blast, touches } = plan;
  const spoken = usePhrases();
  const { notes, riskReason } = spoken.plan(plan);
  return (
    <div id={id} className="flex flex-col gap-1.5 border-t border-line pt-2 text-small">
      {!isRepeated(riskReason, spoken.reason(verdict)) && (
        <Fact label={words.risk}>{visibleLine(riskReason)}</Fact>
      )}
      <Fact label={words.ruleLabel}>
        <code className="font-mono">{visibleLine(verdict.rule)}</code>
      </Fact>
      {command !== undefined && <CommandDetails command={command} />}
      {touches.length > 0 && (
        <Fact label={words.touches}>
          <Touches touches={touches} />
        </Fact>
      )}
      {blast !== undefined && <Reach blast={blast} />}
      {notes.slice(fewNotes).map((note, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same may be noted twice.
        <Fact key={at} label={words.note}>
          {visibleLine(note)}
        </Fact>
      ))}
      <Fact label={words.arguments}>
        <code className="font-mono">{visibleLine(tool)}</code>
        <Arguments args={args} />
      </Fact>
    </div>
  );
}

function CommandDetails({ command: { cwd, parts, confinement } }: { command: Command }) {
  const words = useViewText().approval;
  const { sandbox, network, hosts, why, unheld } = confinement;
  return (
    <>
      {parts.length > 1 && (
        <Fact label={words.starts}>
          <AllParts parts={parts} />
        </Fact>
      )}
      <Fact label={words.folder}>
        <code className="font-mono">{visibleLine(cwd)}</code>
      </Fact>
      <Fact label={words.sandbox}>
        {sandbox === 'none' ? (
          <span className="text-high">
            {words.notSandboxed} {why !== undefined && visibleLine(why)}
          </span>
        ) : (
          words.sandboxed(sandbox)
        )}{' '}
        {unheld !== undefined && visibleLine(unheld)}
      </Fact>
      <Fact label={words.network}>
        <span className={network ? 'text-warn' : 'text-good'}>
          {network ? (hosts === undefined ? words.networkOn : words.networkHosts(hosts)) : words.networkOff}
        </span>
      </Fact>
    </>
  );
}

function Reach({
  blast: { files, directories, bytes: size, untracked, linksLeaving },
}: {
  blast: BlastRadius;
}) {
  const words = useViewText().approval;
  const parts = [words.files(files), words.folders(directories), bytes(size)];
  if (untracked !== null && untracked > 0) parts.push(words.untracked(untracked));
  if (linksLeaving > 0) parts.push(words.linksLeaving(linksLeaving));
  return <Fact label={words.reach}>{parts.join(', ')}</Fact>;
}

/** A path that the call touches: where it really leads, then how it was requested where that differs. */
const few = 8;

function Touches({ touches }: { touches: readonly Touch[] }) {
  const words = useViewText().approval;
  const [isWhole, setIsWhole] = useState(false);
  const lines = touchLines(touches);
  const shown = isWhole ? lines : lines.slice(0, few);
  return (
    <ul>
      {shown.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same place may be touched twice.
        <Line key={at} line={line} />
      ))}
      {shown.length < lines.length && (
        <li>
          <Button size="small" tone="quiet" onClick={() => setIsWhole(true)}>
            {words.andMore(lines.length - shown.length)}
          </Button>
        </li>
      )}
    </ul>
  );
}

function Line({ line: { touch, below } }: { line: TouchLine }) {
  const words = useViewText().approval;
  const { access, path, asked } = touch;
  return (
    <li className="wrap-anywhere">
      <span className={cx(access === 'delete' ? 'text-bad' : 'text-muted')}>{words.access[access]}</span>{' '}
      <code className="font-mono">{visibleLine(path)}</code>
      {below > 0 && <span className="text-muted"> {words.andBelow(below)}</span>}
      {asked !== path && (
        <span className="text-warn"> {words.askedAs(visibleLine(JSON.stringify(asked)))}</span>
      )}
    </li>
  );
}

// The rest can be read in the file itself.
const longestArguments = 200_000;

export function Arguments({ args }: { args: Record<string, unknown> }) {
  const text = useMemo(() => visible(JSON.stringify(args, null, 2).slice(0, longestArguments)), [args]);
  return (
    <pre
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
      tabIndex={0}
      className="max-h-56 overflow-auto rounded-base bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere"
    >
      {text}
    </pre>
  );
}

/** A label and its value. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 two:grid-cols-[7.5rem_1fr]">
      <span className="text-muted">{label}</span>
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}
