// The branches that continue from one message: arrows from one to the next, and a menu with their names.
import { visibleLine } from '@codelab/protocol';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { useRef } from 'react';
import { forkAt, useBranches } from '../../session/branches.ts';
import { openSession } from '../../session/current-session.ts';
import type { UserEntry } from '../../session/session-model.ts';
import { useSessionStore } from '../../session/session-store.ts';
import { useText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Menu } from '../../ui/menu.tsx';
import { holdBranchArrows } from './kept-place.ts';

export function BranchSwitch({ entry }: { entry: UserEntry }) {
  const text = useText();
  const words = text.conversation.act;
  const all = useBranches((state) => state.all);
  const box = useRef<HTMLDivElement>(null);
  const fork = forkAt(all, entry, useSessionStore.getState().model);
  if (fork === undefined) return null;
  const { ids, at, place } = fork;
  const open = (session = '', arrow = ''): void => {
    if (session === '' || session === ids[at]) return;
    holdBranchArrows({ session, place, arrow, top: box.current?.getBoundingClientRect().top ?? 0 });
    openSession(session);
  };
  const titleOf = (id: string): string => all.find((branch) => branch.id === id)?.title ?? '';
  return (
    <div ref={box} data-fork={place} className="flex items-center tabular-nums text-tiny text-muted">
      <IconButton
        size="small"
        icon={ChevronLeft}
        label={words.previousBranch}
        data-arrow="previous"
        disabled={at === 0}
        onClick={() => open(ids[at - 1], 'previous')}
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
          onSelect: () => open(id),
        }))}
      />
      <IconButton
        size="small"
        icon={ChevronRight}
        label={words.nextBranch}
        data-arrow="next"
        disabled={at === ids.length - 1}
        onClick={() => open(ids[at + 1], 'next')}
      />
    </div>
  );
}
