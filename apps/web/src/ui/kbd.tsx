// A shortcut as keys, spelled for this machine.
import { spellShortcut } from '../actions/spell-shortcut.ts';

export function Kbd({ keys }: { keys: string }) {
  return (
    <span className="inline-flex gap-0.5">
      {spellShortcut(keys).map((key) => (
        <kbd
          key={key}
          className="min-w-4.5 rounded-small border border-line bg-sunken px-1 text-center font-sans text-tiny text-muted"
        >
          {key}
        </kbd>
      ))}
    </span>
  );
}
