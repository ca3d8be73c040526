// What a human must know to decide: the arguments, the command, what it touches, the rule that asks.
import {
  type ApprovalRequest,
  type BlastRadius,
  type Command,
  type CommandPart,
  type Touch,
  visible,
  visibleLine,
} from '@codelab/protocol';
import { ChevronRight } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { bytes } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { RiskBadge } from '../../ui/risk-badge.tsx';
import { DiffPreview } from './diff-preview.tsx';

/** What a human needs to know before deciding, in the order they need it: why it asks, what would happen, where it really goes. */
export function ApprovalFacts({ approval }: { approval: ApprovalRequest }) {
  const words = useText().approval;
  const { plan, verdict, again } = approval;
  const { question, command, diff, blast } = plan;
  return (
    <div className="flex flex-col gap-2">
      {again !== undefined && (
        <p className="rounded-base bg-warn-soft px-2 py-1 text-small text-warn wrap-anywhere">
          <strong>{words.again}:</strong> {visibleLine(again)}
        </p>
      )}
      {question !== undefined && (
        <p className="max-h-72 overflow-auto text-read whitespace-pre-wrap wrap-anywhere">
          {visible(question.message)}
        </p>
      )}
      {command !== undefined && <CommandFacts command={command} />}
      {diff !== undefined && diff.text !== '' && <DiffPreview approval={approval} diff={diff} />}
      {(question === undefined || verdict.verdict !== 'allow') && (
        <Fact label={words.why}>
          {visibleLine(verdict.reason)}{' '}
          <span className="font-mono text-tiny text-muted">({words.rule(visibleLine(verdict.rule))})</span>
        </Fact>
      )}
      {question === undefined && <Fact label={words.risk}>{visibleLine(plan.riskReason)}</Fact>}
      {plan.touches.length > 0 && question === undefined && (
        <Fact label={words.touches}>
          <Touches touches={plan.touches} />
        </Fact>
      )}
      {blast !== undefined && <Reach blast={blast} />}
      {plan.notes.map((note, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same may be noted twice.
        <Fact key={at} label={words.note}>
          {visibleLine(note)}
        </Fact>
      ))}
      {question === undefined && <GivenArguments args={approval.args} />}
    </div>
  );
}

function Reach({
  blast: { files, directories, bytes: size, untracked, linksLeaving },
}: {
  blast: BlastRadius;
}) {
  const words = useText().approval;
  const parts = [words.files(files), words.folders(directories), bytes(size)];
  return (
    <Fact label={words.reach}>
      <span className="font-medium text-high">{parts.join(', ')}</span>
      {untracked !== null && untracked > 0 && (
        <span className="font-medium text-bad">, {words.untracked(untracked)}</span>
      )}
      {linksLeaving > 0 && <span className="font-medium text-bad">, {words.linksLeaving(linksLeaving)}</span>}
    </Fact>
  );
}

/** A command as it was understood: its line, every program it would start with what policy says to it, and what holds it in. */
function CommandFacts({ command: { line, cwd, parts, confinement } }: { command: Command }) {
  const words = useText().approval;
  const { sandbox, network, why } = confinement;
  return (
    <>
      <pre className="max-h-56 overflow-auto rounded-base bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere">
        <span aria-hidden className="text-faint select-none">
          ${' '}
        </span>
        {visible(line)}
      </pre>
      <ul aria-label={words.starts} className="flex max-h-80 flex-col gap-1 overflow-auto">
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a part's name is its place in the line.
          <Part key={at} part={part} />
        ))}
      </ul>
      <Fact label={words.folder}>
        <code className="font-mono">{visibleLine(cwd)}</code>
      </Fact>
      <Fact label={words.sandbox}>
        {sandbox === 'none' ? (
          <span className="text-high">
            {words.notSandboxed} {why !== undefined && visibleLine(why)}
          </span>
        ) : (
          <span>{words.sandboxed(sandbox)}</span>
        )}
      </Fact>
      <Fact label={words.network}>
        <span className={network ? 'text-warn' : 'text-good'}>
          {network ? words.networkOn : words.networkOff}
        </span>
      </Fact>
    </>
  );
}

const tones: Record<CommandPart['verdict'], BadgeTone> = { allow: 'good', ask: 'warn', deny: 'bad' };
const deepest = 8;

function Part({ part: { text, verdict, risk, reason, isDynamic, depth = 0 } }: { part: CommandPart }) {
  const words = useText().approval;
  return (
    <li
      className="border-l-2 border-line pl-2"
      style={{ marginLeft: `${Math.min(depth, deepest) * 0.875}rem` }}
    >
      <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
        <code className="min-w-0 font-mono text-small wrap-anywhere">{visibleLine(text)}</code>
        <Badge tone={tones[verdict]}>{words.verdict[verdict]}</Badge>
        {verdict !== 'allow' && <RiskBadge risk={risk} />}
      </div>
      <p className="text-small text-muted wrap-anywhere">
        {visibleLine(reason)} {isDynamic && <span className="text-warn">{words.dynamic}</span>}
      </p>
    </li>
  );
}

/** What a call touches: the place it really leads to, then how it was asked for where that differs. */
const few = 8;

function Touches({ touches }: { touches: readonly Touch[] }) {
  const words = useText().approval;
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
  const words = useText().approval;
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

/** Where a call goes, without repeating what goes with its folder: such places are counted. */
type TouchLine = { touch: Touch; below: number };

export function touchLines(touches: readonly Touch[]): TouchLine[] {
  const [first] = touches;
  if (first === undefined) return [];
  const isBelow = (touch: Touch): boolean =>
    touch.path.startsWith(`${first.path}/`) && touch.access === first.access && touch.asked === touch.path;
  const below = touches.filter(isBelow).length;
  return touches
    .filter((touch) => !isBelow(touch))
    .map((touch) => ({ touch, below: touch === first ? below : 0 }));
}

/** The arguments in one line; unfolded, all of them as JSON. */
const longest = 160;
// Whoever wants to read more than this has the file itself.
const most = 200_000;

function GivenArguments({ args }: { args: Record<string, unknown> }) {
  const words = useText().approval;
  const [isOpen, setIsOpen] = useState(false);
  const line = useMemo(() => visibleLine(JSON.stringify(args).slice(0, longest)), [args]);
  return (
    <div className="min-w-0 text-small">
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(!isOpen)}
        className="flex w-full min-w-0 items-center gap-1 rounded-small text-left text-muted hover:text-text"
      >
        <ChevronRight
          aria-hidden
          className={cx('size-3.5 shrink-0 transition-transform', isOpen && 'rotate-90')}
        />
        <span className="shrink-0">{words.arguments}</span>
        {!isOpen && <code className="min-w-0 truncate font-mono text-tiny">{line}</code>}
      </button>
      {isOpen && (
        <pre className="mt-1 max-h-80 overflow-auto rounded-base bg-sunken px-3 py-2 font-mono whitespace-pre-wrap wrap-anywhere">
          {visible(JSON.stringify(args, null, 2).slice(0, most))}
        </pre>
      )}
    </div>
  );
}

/** One thing to know before deciding: a word, and what it is. */
function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 text-small two:grid-cols-[7.5rem_1fr]">
      <span className="text-muted">{label}</span>
      <div className="min-w-0 wrap-anywhere">{children}</div>
    </div>
  );
}
