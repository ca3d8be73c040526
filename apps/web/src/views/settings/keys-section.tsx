// The shortcuts that work now, by group.
import { useActionStore } from '../../actions/actions.ts';
import { shortcuts } from '../../keys.ts';
import { useText } from '../../text/use-text.ts';
import { Kbd } from '../../ui/kbd.tsx';

export function KeysSection() {
  const text = useText();
  const actions = useActionStore((state) => state.actions);
  const offered = [...actions.values()].filter(({ id }) => shortcuts[id] !== undefined);
  const groups = Map.groupBy(offered, ({ group }) => group);
  return (
    <>
      <p className="text-small text-muted">{text.settings.shortcutsHint}</p>
      <div className="grid gap-x-10 gap-y-4 @2xl:grid-cols-2">
        {[...groups].map(([group, list]) => (
          <div key={group}>
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
