// Where several branches go on from one message: arrows from one to the next, and a menu that names them.
import { visibleLine } from '@codelab/protocol';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { type Branches, siblingsAt, useBranches } from '../../session/branches.ts';
import { openSession } from '../../session/current-session.ts';
import type { LogPlace, UserEntry } from '../../session/session-model.ts';
import { useSession, useSessionStore } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';

export function BranchSwitch({ entry }: { entry: UserEntry }) {
  const text = useText();
  const words = text.conversation.act;
  const current = useSession(({ id }) => id);
  const all = useBranches((state) => state.all);
  const { ids, at } = branchesHere(all, entry, current);
  if (ids.length < 2) return null;
  const go = (step: number): void => openSession(ids[at + step] ?? current);
  const titleOf = (id: string): string => all.find((branch) => branch.id === id)?.title ?? '';
  return (
    <div className="flex items-center tabular-nums text-tiny text-muted">
      <IconButton
        size="small"
        icon={ChevronLeft}
        label={words.previousBranch}
        disabled={at === 0}
        onClick={() => go(-1)}
      />
      <Menu
        align="end"
        label={words.branches}
        trigger={
          <Button size="small" tone="quiet">
            {words.branchOf(at + 1, ids.length)}
          </Button>
        }
        items={ids.map((id, index) => ({
          id,
          label: visibleLine(titleOf(id)) || text.sessions.untitled,
          isChosen: index === at,
          onSelect: () => openSession(id),
        }))}
      />
      <IconButton
        size="small"
        icon={ChevronRight}
        label={words.nextBranch}
        disabled={at === ids.length - 1}
        onClick={() => go(1)}
      />
    </div>
  );
}

/** The sessions that go on from where this message stands, and which of them is on the screen. */
function branchesHere(
  all: Branches,
  { at }: UserEntry,
  current: string,
): { ids: readonly string[]; at: number } {
  const before: LogPlace = { session: at.session, seq: at.seq - 1 };
  const here = siblingsAt(all, before);
  if (here.length > 0) return { ids: here, at: Math.max(0, here.indexOf(at.session)) };
  // The first message of a branch stands where the original went another way.
  const { entries, origin } = useSessionStore.getState().model;
  const first = entries.find((entry) => entry.kind === 'user' && entry.at.session === current);
  if (origin === undefined || first?.kind !== 'user' || first.at.seq !== at.seq || at.session !== current)
    return { ids: [], at: 0 };
  const ids = siblingsAt(all, origin);
  return { ids, at: Math.max(0, ids.indexOf(current)) };
}
