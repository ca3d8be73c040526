// The answers one can give, each with its key. On a phone the two that are always wanted have the row, the others a menu.
import { type ApprovalRequest, visibleLine } from '@codelab/protocol';
import { Check, Ellipsis, ListChecks, Pencil, ShieldPlus, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useColumns } from '../../layout/use-columns.ts';
import { useViewText } from '../../text/use-text.ts';
import { Kbd } from '../../ui/badge.tsx';
import { Button, type ButtonTone, IconButton } from '../../ui/button.tsx';
import { cx } from '../../ui/cx.ts';
import { Menu } from '../../ui/menu.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import type { ApprovalAction } from './answering.ts';
import type { Readiness } from './card-focus.ts';

type Props = {
  approval: ApprovalRequest;
  actions: readonly ApprovalAction[];
  readiness: Readiness;
  isSending: boolean;
  run(action: ApprovalAction): void;
  answer(action: string): void;
};

const looks: Record<ApprovalAction, { tone: ButtonTone; icon: typeof Check; keys: string }> = {
  approve: { tone: 'strong', icon: Check, keys: 'A' },
  edit: { tone: 'plain', icon: Pencil, keys: 'E' },
  review: { tone: 'plain', icon: ListChecks, keys: 'H' },
  reject: { tone: 'plain', icon: X, keys: 'R' },
  always: { tone: 'plain', icon: ShieldPlus, keys: 'W' },
};

export function ApprovalActions({ approval, actions, readiness, isSending, run, answer }: Props) {
  const words = useViewText().approval;
  const { question } = approval.plan;
  const isPhone = useColumns() === 1;
  const isInRow = (action: ApprovalAction): boolean =>
    !isPhone || question !== undefined || action === 'approve' || action === 'reject';
  const behind = actions.filter((action) => !isInRow(action));
  return (
    <div className={cx('flex items-center gap-1.5 two:gap-2', behind.length === 0 && 'flex-wrap')}>
      {question?.actions.map((action, at) => (
        <AnswerButton
          // biome-ignore lint/suspicious/noArrayIndexKey: the same answer may be offered twice.
          key={at}
          tone={at === 0 ? 'strong' : 'plain'}
          readiness={readiness}
          isSending={isSending}
          className="h-auto! min-h-8 shrink! whitespace-normal!"
          onPress={() => answer(action)}
        >
          {visibleLine(action)}
        </AnswerButton>
      ))}
      {actions.filter(isInRow).map((action) => (
        <AnswerButton
          key={action}
          tone={looks[action].tone}
          icon={looks[action].icon}
          keys={looks[action].keys}
          readiness={readiness}
          isSending={isSending}
          className={
            question === undefined
              ? 'max-two:h-10 max-two:min-w-0 max-two:flex-1 max-two:shrink max-two:px-2'
              : ''
          }
          onPress={() => run(action)}
        >
          {question !== undefined && action === 'reject' ? words.decline : words[action]}
        </AnswerButton>
      ))}
      {behind.length > 0 && <Others actions={behind} isSending={isSending} run={run} />}
      {isSending && <Spinner label={words.sending} />}
    </div>
  );
}

type AnswerProps = {
  tone: ButtonTone;
  icon?: typeof Check;
  keys?: string;
  readiness: Readiness;
  isSending: boolean;
  className: string;
  onPress(): void;
  children: ReactNode;
};

/** An answer with its key. It does nothing until the card has been visible for a moment. */
export function AnswerButton(props: AnswerProps) {
  const { tone, icon: Icon, keys, readiness, isSending, className, onPress, children } = props;
  return (
    <Button
      tone={tone}
      disabled={isSending}
      aria-disabled={!readiness.isReady}
      aria-keyshortcuts={keys}
      className={className}
      icon={Icon === undefined ? undefined : <Icon aria-hidden className="size-4 @max-xl:hidden" />}
      onClick={({ timeStamp }) => readiness.wasReady(timeStamp) && onPress()}
    >
      {children}
      {/* Keys are for those who have a keyboard: on a phone they would only take room. */}
      {keys !== undefined && (
        <span aria-hidden className="hidden @[44rem]:inline">
          <Kbd keys={keys} />
        </span>
      )}
    </Button>
  );
}

type OthersProps = Pick<Props, 'actions' | 'isSending' | 'run'>;

function Others({ actions, isSending, run }: OthersProps) {
  const words = useViewText().approval;
  return (
    <Menu
      align="end"
      label={words.others}
      trigger={
        <IconButton
          icon={Ellipsis}
          label={words.others}
          disabled={isSending}
          className="h-10 w-11 border border-line-strong/50"
        />
      }
      items={actions.map((action) => {
        const Icon = looks[action].icon;
        return {
          id: action,
          label: words[action],
          icon: <Icon aria-hidden className="size-4 text-muted" />,
          onSelect: () => run(action),
        };
      })}
    />
  );
}
