// All active shortcuts, by group.
import { shortcuts } from '../keys.ts';
import { useText } from '../text/use-text.ts';
import { Kbd } from '../ui/badge.tsx';
import { Dialog } from '../ui/dialog.tsx';
import { useActionStore } from './actions.ts';

export function ShortcutsDialog({ isOpen, onClose }: { isOpen: boolean; onClose(): void }) {
  const text = useText();
  const actions = useActionStore((state) => state.actions);
  const offered = [...actions.values()].filter(({ id }) => shortcuts[id] !== undefined);
  const groups = Map.groupBy(offered, ({ group }) => group);
  return (
    <Dialog title={text.frame.shortcuts} isOpen={isOpen} onClose={onClose}>
      <div className="gap-x-8 two:columns-2">
        {[...groups].map(([group, list]) => (
          <section key={group} className="mb-4 break-inside-avoid last:mb-0">
            <h3 className="mb-1 text-small font-semibold text-muted">{text.frame.groups[group]}</h3>
            <ul>
              {list.map(({ id, label }) => (
                <li key={id} className="flex items-center gap-3 py-1">
                  <span className="flex-1">{label}</span>
                  <Kbd keys={shortcuts[id] ?? ''} />
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
