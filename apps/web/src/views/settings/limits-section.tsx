// What calls are held to. Set where the gateway is started; here one only looks.
import { visibleLine } from '@codelab/protocol';
import { bytes, duration, number } from '../../text/format.ts';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from './facts.tsx';
import type { SectionProps } from './section-props.ts';

export function LimitsSection({ settings: { limits, sandbox } }: SectionProps) {
  const words = useText().settings;
  const isHeld = sandbox.sandbox !== 'none';
  return (
    <Facts
      rows={[
        [
          words.sandbox,
          <Badge key="sandbox" tone={isHeld ? 'good' : 'warn'}>
            {isHeld ? visibleLine(sandbox.sandbox) : words.noSandbox}
          </Badge>,
        ],
        ...(sandbox.why === undefined ? [] : [[words.sandboxWhy, visibleLine(sandbox.why)] as const]),
        [words.network, sandbox.network ? words.networkOpen : words.networkClosed],
        [words.sandboxChoice, visibleLine(sandbox.choice)],
        [words.limits.approval, duration(limits.approval_seconds * 1000)],
        [words.limits.call, duration(limits.call_seconds * 1000)],
        [words.limits.parallel, number(limits.parallel)],
        [words.limits.read, bytes(limits.read_bytes)],
        [words.limits.write, bytes(limits.write_bytes)],
      ]}
    />
  );
}
