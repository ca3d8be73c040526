// Reads the agent's latest words aloud, once they are whole.
import { honestText } from '../../markdown/honest-text.ts';
import { useSession } from '../../session/session-store.ts';

const longest = 500;

export function Announcer() {
  const said = useSession(({ entries }) => {
    const last = entries.at(-1);
    const entry = last?.kind === 'ended' ? entries.at(-2) : last;
    return entry?.kind === 'said' ? entry.text : '';
  });
  return (
    <p aria-live="polite" className="sr-only">
      {honestText(said.slice(0, longest))}
    </p>
  );
}
