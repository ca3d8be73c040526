// The sections that only show: the version, the limits of this gateway, and the keyboard shortcuts.
import { visibleLine } from '@codelab/protocol';
import type { ReactNode } from 'react';
import { useActionStore } from '../../actions/actions.ts';
import { shortcuts } from '../../keys.ts';
import { bytes, duration, number } from '../../text/format.ts';
import { useViewText } from '../../text/use-text.ts';
import { Badge, Kbd } from '../../ui/badge.tsx';
import type { SectionProps } from './section.ts';

// The version, the workspace, and who is signed in.
export function AboutSection({
  settings: { version, workspace, user, is_operator: isOperator },
}: SectionProps) {
  const words = useViewText().settings;
  return (
    <Facts
      rows={[
        [words.version, version === null ? 'CodeLab' : `CodeLab ${version}`],
        [
          words.workspace,
          <code key="workspace" className="font-mono text-small">
            {visibleLine(workspace)}
          </code>,
        ],
        [
          words.user,
          <span key="user" className="inline-flex items-center gap-2">
            {visibleLine(user)}
            {isOperator && user !== words.operator && <Badge>{words.operator}</Badge>}
          </span>,
        ],
      ]}
    />
  );
}

// The limits of calls. They are set where the gateway is started and are only shown here.
export function LimitsSection({ settings: { limits, sandbox } }: SectionProps) {
  const words = useViewText().settings;
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

// The shortcuts that work now, by group.
export function KeysSection() {
  const text = useViewText();
  const actions = useActionStore((state) => state.actions);
  const offered = [...actions.values()].filter(({ id }) => shortcuts[id] !== undefined);
  const groups = Map.groupBy(offered, ({ group }) => group);
  return (
    <>
      <p className="text-small text-muted">{text.settings.shortcutsHint}</p>
      <div className="gap-x-10 @2xl:columns-2">
        {[...groups].map(([group, list]) => (
          <div key={group} className="mb-4 break-inside-avoid last:mb-0">
            <h3 className="mb-1 text-small font-semibold text-muted">{text.frame.groups[group]}</h3>
            <ul>
              {list.map(({ id, label }) => (
                <li key={id} className="flex items-center gap-3 py-1">
                  <span className="flex-1">{label}</span>
                  <Kbd keys={shortcuts[id] ?? ''} />
                </li>
              ))}
            </ul>
          </div>
        ))}
      </div>
    </>
  );
}

// Names and values that can only be looked at.
function Facts({ rows }: { rows: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="grid grid-cols-1 gap-x-6 gap-y-1 @lg:grid-cols-[minmax(10rem,max-content)_1fr] @lg:gap-y-2">
      {rows.map(([name, value]) => (
        <div key={name} className="contents">
          <dt className="text-muted">{name}</dt>
          <dd className="mb-1.5 min-w-0 wrap-anywhere @lg:mb-0">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
