// The keys of the review.
import { useText } from '../../text/use-text.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Kbd } from '../../ui/kbd.tsx';

export function ReviewHelp({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const words = useText().review;
  return (
    <Dialog size="small" title={words.help} isOpen={isOpen} onClose={onClose}>
      <ul>
        {Object.entries(words.keys).map(([keys, meaning]) => (
          <li key={keys} className="flex items-center gap-3 py-1">
            <span className="flex-1">{meaning}</span>
            {keys.split(' / ').map((key) => (
              <Kbd key={key} keys={key} />
            ))}
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
