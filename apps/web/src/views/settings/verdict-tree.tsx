// What policy says of something, and of each of its parts: what lies inside another stands below it.
import type { PolicyVerdict } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { useText } from '../../text/use-text.ts';
import { RiskBadge } from '../../ui/risk-badge.tsx';
import { nestParts, type PartNode } from './nest-parts.ts';
import { VerdictBadge } from './verdict-badge.tsx';

export function VerdictTree({ judged }: { judged: PolicyVerdict }) {
  const words = useText().settings;
  const { verdict, risk, rule, layer, reason, parts, depths } = judged;
  return (
    <div className="flex flex-col gap-2 rounded-base border border-line bg-raised p-3">
      <p className="flex flex-wrap items-center gap-2">
        <VerdictBadge verdict={verdict} />
        <RiskBadge risk={risk} />
        <span className="min-w-0 wrap-anywhere">{visibleLine(reason)}</span>
      </p>
      <p className="text-small text-muted">{words.byRule(visibleLine(rule), words.layers[layer])}</p>
      {parts.length > 0 && (
        <div>
          <h4 className="mb-1 text-small font-semibold text-muted">{words.parts}</h4>
          <Nodes nodes={nestParts(parts, depths)} />
        </div>
      )}
    </div>
  );
}

function Nodes({ nodes }: { nodes: readonly PartNode[] }) {
  return (
    <ul className="flex flex-col gap-1.5 border-l border-line pl-3">
      {nodes.map(({ key, part, inner }) => (
        <li key={key} className="flex flex-col gap-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <code className="font-mono text-small wrap-anywhere">{visibleLine(part.text)}</code>
            <VerdictBadge verdict={part.verdict} />
            <span className="text-small text-muted">{visibleLine(part.reason)}</span>
          </div>
          {inner.length > 0 && <Nodes nodes={inner} />}
        </li>
      ))}
    </ul>
  );
}
