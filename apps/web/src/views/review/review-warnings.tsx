// What in a change could mislead the eye, each with a way to it.
import { visibleLine } from '@codelab/protocol';
import { EyeOff } from 'lucide-react';
import { useText } from '../../text/use-text.ts';
import { Menu } from '../../ui/menu.tsx';
import type { Warning } from './find-warnings.ts';

type Props = { warnings: readonly Warning[]; onGo(piece: string): void };

export function ReviewWarnings({ warnings, onGo }: Props) {
  const words = useText().review;
  if (warnings.length === 0) return null;
  const items = warnings.slice(0, 50).map(({ piece, path, line, found }, at) => ({
    id: String(at),
    label: `${visibleLine(path)}${line === undefined ? '' : `:${line}`} · ${visibleLine(found.text)}`,
    hint: `${words.warning[found.kind]}${line === undefined ? `, ${words.inName}` : ''}`,
    onSelect: () => onGo(piece),
  }));
  return (
    <Menu
      label={words.warnings(warnings.length)}
      items={items}
      trigger={
        <button
          type="button"
          className="inline-flex min-h-6 items-center gap-1.5 rounded-full border border-bad/40 bg-bad-soft px-2.5 text-small font-medium text-bad hover:border-bad"
        >
          <EyeOff aria-hidden className="size-3.5 shrink-0" />
          {words.warnings(warnings.length)}
        </button>
      }
    />
  );
}
