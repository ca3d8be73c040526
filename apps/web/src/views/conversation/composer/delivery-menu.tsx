// Whether a message that is sent while the agent works is read at its next step or after the turn.
import type { Delivery } from '@codelab/protocol';
import { CornerDownRight, ListPlus } from 'lucide-react';
import { useText } from '../../../text/use-text.ts';
import { Button } from '../../../ui/button.tsx';
import { Menu } from '../../../ui/menu.tsx';

const deliveries: readonly Delivery[] = ['step', 'turn'];

type Props = { delivery: Delivery; onPick(delivery: Delivery): void };

export function DeliveryMenu({ delivery, onPick }: Props) {
  const words = useText().conversation.queue;
  const Icon = delivery === 'step' ? CornerDownRight : ListPlus;
  return (
    <Menu
      align="end"
      label={words.when}
      trigger={
        <Button
          size="small"
          tone="quiet"
          aria-label={`${words.when}: ${words[delivery]}`}
          icon={<Icon aria-hidden className="size-3.5" />}
        >
          <span className="max-two:sr-only">{words[delivery]}</span>
        </Button>
      }
      items={deliveries.map((choice) => ({
        id: choice,
        label: words[choice],
        hint: words[`${choice}Hint`],
        isChosen: choice === delivery,
        onSelect: () => onPick(choice),
      }))}
    />
  );
}
