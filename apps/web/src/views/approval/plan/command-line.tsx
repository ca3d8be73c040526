// A command as it was parsed: its line, then the programs that may change something, and those that only read.
import { type Command, type CommandPart, visible, visibleLine } from '@codelab/protocol';
import { usePhrases } from '../../../text/phrases.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Badge, type BadgeTone, RiskBadge } from '../../../ui/badge.tsx';
import { isRepeated } from './plan-facts.ts';

const fewParts = 6;

/** `reason` is said beside it: a part does not repeat it. */
export function CommandLine({ command: { line, parts }, reason }: { command: Command; reason: string }) {
  const words = useViewText().approval;
  const risky = parts.filter(({ verdict }) => verdict !== 'allow');
  const reading = parts.filter(({ verdict }) => verdict === 'allow');
  return (
    <>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard.
        tabIndex={0}
        className="max-h-56 overflow-auto rounded-base bg-sunken px-3 py-2 font-mono text-small whitespace-pre-wrap wrap-anywhere"
      >
        <span aria-hidden className="text-faint select-none">
          ${' '}
        </span>
        {visible(line)}
      </pre>
      {/* One program alone is the line itself. */}
      {parts.length > 1 && (
        <ul aria-label={words.starts} className="flex flex-col gap-0.5 text-small">
          {risky.slice(0, fewParts).map((part, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part's name is its place in the line.
            <AskedPart key={at} part={part} reason={reason} />
          ))}
          {risky.length > fewParts && <li className="pl-2.5">{words.andMore(risky.length - fewParts)}</li>}
          {reading.length > 0 && (
            <li className="border-l-2 border-good/50 pl-2 text-muted wrap-anywhere">
              {words.onlyRead}:{' '}
              {reading.slice(0, fewParts).map(({ text }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a part's name is its place in the line.
                <span key={at}>
                  {at > 0 && ', '}
                  <code className="font-mono">{visibleLine(text)}</code>
                </span>
              ))}
              {reading.length > fewParts && ` ${words.andMore(reading.length - fewParts)}`}
            </li>
          )}
        </ul>
      )}
    </>
  );
}

const deepest = 8;

function AskedPart({ part, reason: cardReason }: PartProps) {
  const words = useViewText().approval;
  const { text, isDynamic, depth = 0 } = part;
  const reason = usePhrases().reason(part);
  const isDynamicUnsaid = isDynamic && !isRepeated(reason, cardReason);
  return (
    <li
      className="border-l-2 border-warn/60 pl-2 wrap-anywhere"
      style={{ marginLeft: `${Math.min(depth, deepest) * 0.875}rem` }}
    >
      <code className="font-mono">{visibleLine(text)}</code>{' '}
      {!isRepeated(reason, cardReason) && <span className="text-muted">{visibleLine(reason)}</span>}{' '}
      {isDynamicUnsaid && <span className="text-warn">{words.dynamic}</span>}
    </li>
  );
}

type PartProps = { part: CommandPart; reason: string };

const tones: Record<CommandPart['verdict'], BadgeTone> = { allow: 'good', ask: 'warn', deny: 'bad' };

/** Every program of a command with what policy says to it, for the details. */
export function AllParts({ parts }: { parts: readonly CommandPart[] }) {
  const words = useViewText().approval;
  const spoken = usePhrases();
  return (
    <ul className="flex max-h-80 flex-col gap-1 overflow-auto">
      {parts.map(({ text, verdict, risk, reason, phrases, isDynamic, depth = 0 }, at) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a part's name is its place in the line.
          key={at}
          className="border-l-2 border-line pl-2"
          style={{ marginLeft: `${Math.min(depth, deepest) * 0.875}rem` }}
        >
          <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <code className="min-w-0 font-mono wrap-anywhere">{visibleLine(text)}</code>
            <Badge tone={tones[verdict]}>{words.verdict[verdict]}</Badge>
            {verdict !== 'allow' && <RiskBadge risk={risk} />}
          </div>
          {verdict !== 'allow' && (
            <p className="text-muted wrap-anywhere">
              {visibleLine(spoken.reason({ reason, phrases }))}{' '}
              {isDynamic && <span className="text-warn">{words.dynamic}</span>}
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
