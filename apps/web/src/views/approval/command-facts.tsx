// A command as it was understood: its line, every program it would start with what policy says to it, and what holds it in.
import { type Command, type CommandPart, visible, visibleLine } from '@codelab/protocol';
import { useText } from '../../text/use-text.ts';
import { Badge, type BadgeTone } from '../../ui/badge.tsx';
import { RiskBadge } from '../../ui/risk-badge.tsx';
import { Fact } from './fact.tsx';

export function CommandFacts({ command: { line, cwd, parts, confinement } }: { command: Command }) {
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
