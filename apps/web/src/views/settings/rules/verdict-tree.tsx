// The verdict on a call and on each part of its command, as a tree.
import type { PolicyVerdict } from '@codelab/api';
import { type RuleEffect, visibleLine } from '@codelab/protocol';
import { CircleCheck, CircleQuestionMark, CircleSlash } from 'lucide-react';
import { usePhrases } from '../../../text/phrases.ts';
import { useViewText } from '../../../text/use-text.ts';
import { Badge, type BadgeTone, RiskBadge } from '../../../ui/badge.tsx';

/** Parts that lie inside another part stand below it. */
export function VerdictTree({ judged }: { judged: PolicyVerdict }) {
  const words = useViewText().settings;
  const { verdict, risk, rule, layer, parts, depths } = judged;
  const spoken = usePhrases();
  return (
    <div className="flex flex-col gap-2 rounded-base border border-line bg-raised p-3">
      <p className="flex flex-wrap items-center gap-2">
        <VerdictBadge verdict={verdict} />
        <RiskBadge risk={risk} />
        <span className="min-w-0 wrap-anywhere">{visibleLine(spoken.reason(judged))}</span>
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
  const spoken = usePhrases();
  return (
    <ul className="flex flex-col gap-1.5 border-l border-line pl-3">
      {nodes.map(({ key, part, inner }) => (
        <li key={key} className="flex flex-col gap-1">
          <div className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <code className="font-mono text-small wrap-anywhere">{visibleLine(part.text)}</code>
            <VerdictBadge verdict={part.verdict} />
            <span className="text-small text-muted">{visibleLine(spoken.reason(part))}</span>
          </div>
          {inner.length > 0 && <Nodes nodes={inner} />}
        </li>
      ))}
    </ul>
  );
}

/** A verdict in one word. */
const looks = {
  allow: { tone: 'good', icon: CircleCheck },
  ask: { tone: 'warn', icon: CircleQuestionMark },
  deny: { tone: 'bad', icon: CircleSlash },
} as const satisfies Record<RuleEffect, { tone: BadgeTone; icon: typeof CircleCheck }>;

export function VerdictBadge({ verdict, children }: { verdict: RuleEffect; children?: string }) {
  const words = useViewText().settings;
  const { tone, icon: Icon } = looks[verdict];
  return (
    <Badge tone={tone} icon={<Icon aria-hidden className="size-3" />}>
      {children ?? words.verdicts[verdict]}
    </Badge>
  );
}

// Parts of a shell line as a tree, from how deep each of them lies.
type Part = PolicyVerdict['parts'][number];
type PartNode = { key: string; part: Part; inner: PartNode[] };

export function nestParts(parts: readonly Part[], depths: readonly number[] = []): PartNode[] {
  const top: PartNode[] = [];
  const open: { depth: number; node: PartNode }[] = [];
  for (const [at, part] of parts.entries()) {
    const depth = depths[at] ?? 0;
    const node: PartNode = { key: String(at), part, inner: [] };
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    (open.at(-1)?.node.inner ?? top).push(node);
    open.push({ depth, node });
  }
  return top;
}
