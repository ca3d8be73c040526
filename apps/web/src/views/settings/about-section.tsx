// What runs here, over which files, and who is asking.
import { visibleLine } from '@codelab/protocol';
import { useText } from '../../text/use-text.ts';
import { Badge } from '../../ui/badge.tsx';
import { Facts } from './facts.tsx';
import type { SectionProps } from './section-props.ts';

export function AboutSection({
  settings: { version, workspace, user, is_operator: isOperator },
}: SectionProps) {
  const words = useText().settings;
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
