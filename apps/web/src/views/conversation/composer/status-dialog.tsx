// The state of this session in one place: the dialog of `/status`.
import { visibleLine } from '@codelab/protocol';
import { useSession } from '../../../session/session-store.ts';
import { spellCost } from '../../../text/format.ts';
import { useText } from '../../../text/use-text.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { useContextInfo, useSessionCost } from '../../context/use-context-info.ts';
import { useWorkMode } from '../../modes/work-mode.ts';
import { useCatalogue } from './catalogue-store.ts';
import { useStatusDialog } from './commands.ts';
import { usePicks } from './send-message.ts';

export function StatusDialog() {
  const text = useText();
  const words = text.conversation.status;
  const session = useSession(({ id, workspace, model, profile, turns, totals }) =>
    JSON.stringify({ id, workspace, model, profile, turns: turns.count, ...totals }),
  );
  const { id, workspace, model, profile, turns, inputTokens, outputTokens } = JSON.parse(session) as Facts;
  const { cost, unpriced } = useSessionCost();
  const costs = [
    cost === undefined ? '' : spellCost(cost),
    unpriced > 0 ? text.usage.unpricedTurns(unpriced) : '',
  ].filter(Boolean);
  const info = useContextInfo();
  const mode = useWorkMode();
  const { currentModel, defaultAgent } = useCatalogue();
  const picked = usePicks();
  const rows: [string, string][] = [
    [text.conversation.model, picked.model || model || currentModel],
    [text.conversation.profile, picked.profile || profile || defaultAgent],
    [words.mode, mode === undefined ? '' : mode === 'plan' ? text.frame.bar.plan : text.settings.modes[mode]],
    [words.session, id],
    [words.workspace, workspace],
    [text.frame.bar.branch, info?.branch ?? ''],
    [words.turns, String(turns)],
    [
      text.frame.bar.context,
      info === undefined
        ? ''
        : `${info.used_tokens.toLocaleString()}${info.window_tokens === null ? '' : ` / ${info.window_tokens.toLocaleString()}`}`,
    ],
    [words.tokens, `${inputTokens.toLocaleString()} ↑ ${outputTokens.toLocaleString()} ↓`],
    [text.frame.bar.cost, costs.join(' · ')],
  ];
  const close = (): void => useStatusDialog.setState({ isOpen: false });
  return (
    <Dialog isOpen title={words.name} onClose={close}>
      <dl className="grid grid-cols-[max-content_1fr] gap-x-6 gap-y-1.5">
        {rows
          .filter(([, value]) => value !== '')
          .map(([name, value]) => (
            <div key={name} className="contents">
              <dt className="text-muted">{name}</dt>
              <dd className="min-w-0 wrap-anywhere">{visibleLine(value)}</dd>
            </div>
          ))}
      </dl>
    </Dialog>
  );
}

type Facts = {
  id: string;
  workspace: string;
  model: string;
  profile: string;
  turns: number;
  inputTokens: number;
  outputTokens: number;
};
