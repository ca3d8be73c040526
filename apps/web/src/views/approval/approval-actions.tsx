// The answers one can give, each with its key.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { Check, ListChecks, Pencil, ShieldPlus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useText } from '../../text/use-text.ts';
import { Button, type ButtonTone } from '../../ui/button.tsx';
import { Kbd } from '../../ui/kbd.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { ApprovalAction } from './approval-keys.ts';
import { useSteady, wasSteady } from './steady.ts';

type Props = {
  approval: ApprovalRequest;
  actions: readonly ApprovalAction[];
  isSending: boolean;
  run(action: ApprovalAction): void;
  answer(action: string): void;
};

const looks: Record<ApprovalAction, { tone: ButtonTone; icon: typeof Check; keys: string }> = {
  approve: { tone: 'strong', icon: Check, keys: 'A' },
  edit: { tone: 'plain', icon: Pencil, keys: 'E' },
  review: { tone: 'plain', icon: ListChecks, keys: 'H' },
  reject: { tone: 'plain', icon: X, keys: 'R' },
  always: { tone: 'quiet', icon: ShieldPlus, keys: 'W' },
};

export function ApprovalActions({ approval, actions, isSending, run, answer }: Props) {
  const words = useText().approval;
  const { question } = approval.plan;
  const isSteady = useSteady((state) => state.isSteady);
  const press =
    (then: () => void) =>
    ({ timeStamp }: { timeStamp: number }): void => {
      if (wasSteady(timeStamp)) then();
    };
  return (
    <div className="flex flex-wrap items-center gap-1.5 two:gap-2">
      {question?.actions.map((action, at) => (
        <Button
          // biome-ignore lint/suspicious/noArrayIndexKey: the same answer may be offered twice.
          key={at}
          aria-disabled={!isSteady}
          tone={at === 0 ? 'strong' : 'plain'}
          disabled={isSending}
          className="shrink whitespace-normal h-auto min-h-8"
          onClick={press(() => answer(action))}
        >
          {visibleLine(action)}
        </Button>
      ))}
      {actions.map((action) => {
        const { tone, icon: Icon, keys } = looks[action];
        const label = question !== undefined && action === 'reject' ? words.decline : words[action];
        return (
          <Button
            key={action}
            tone={tone}
            disabled={isSending}
            aria-keyshortcuts={keys}
            icon={<Icon aria-hidden className="hidden size-4 two:inline" />}
            aria-disabled={!isSteady}
            onClick={press(() => run(action))}
          >
            {label}
            <Hint>
              <Kbd keys={keys} />
            </Hint>
          </Button>
        );
      })}
      {isSending && <Spinner label={words.sending} />}
    </div>
  );
}

// Keys are for those who have a keyboard: on a phone they would only take room.
function Hint({ children }: { children: ReactNode }) {
  return (
    <span aria-hidden className="hidden two:inline">
      {children}
    </span>
  );
}
