// The person's own terminals, as tabs of the panel below the centre.
import type { TerminalView } from '@codelab/api';
import { visibleLine } from '@codelab/protocol';
import { Plus, Terminal as TerminalIcon, Trash2, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { shortcuts } from '../../keys.ts';
import { changeLayout, restoredPanel, usePhone } from '../../layout/layout-store.ts';
import { useCurrentSession } from '../../session/current-session.ts';
import { useViewText } from '../../text/use-text.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { EmptyState } from '../../ui/spinner.tsx';
import { TabPanel, Tabs } from '../../ui/tabs.tsx';
import { TerminalScreen } from './terminal-screen.tsx';
import { choose, closeTerminal, newTerminal, readTerminals, useTerminals } from './terminal-store.ts';

export function Terminals() {
  const words = useViewText().terminals;
  const { session, terminals, active, problem } = useTerminals();
  useTerminalsOf(useCurrentSession());
  useHidingAtEnd(terminals?.length);
  if (terminals === undefined) return null;
  if (terminals.length === 0)
    return (
      <EmptyState icon={TerminalIcon} title={words.none} hint={problem === '' ? words.hint : problem}>
        <span className="flex gap-2">
          <Button tone="strong" onClick={() => void newTerminal()}>
            {words.new}
          </Button>
          <Button onClick={hide}>{words.hide}</Button>
        </span>
      </EmptyState>
    );
  const names = namesOf(terminals);
  return (
    <Tabs
      label={words.name}
      items={terminals.map(({ terminal_id: id }) => ({ id, label: names.get(id) ?? id }))}
      value={active}
      onChange={choose}
      end={<Acts active={active} problem={problem} />}
    >
      {terminals.map(({ terminal_id: id }) => (
        <TabPanel key={id} id={id}>
          <TerminalScreen session={session} id={id} label={words.screen(names.get(id) ?? id)} />
        </TabPanel>
      ))}
    </Tabs>
  );
}

function Acts({ active, problem }: { active: string; problem: string }) {
  const words = useViewText().terminals;
  return (
    <span className="flex items-center gap-0.5 px-1.5">
      {problem !== '' && (
        <span role="alert" className="max-w-96 truncate px-1 text-tiny text-bad" title={problem}>
          {problem}
        </span>
      )}
      <IconButton icon={Plus} label={words.new} size="small" onClick={() => void newTerminal()} />
      <IconButton icon={Trash2} label={words.end} size="small" onClick={() => void closeTerminal(active)} />
      <IconButton
        icon={X}
        label={words.hide}
        shortcut={shortcuts['frame.terminal']}
        size="small"
        onClick={hide}
      />
    </span>
  );
}

/** Opening the panel starts a terminal where there is none; a reload that brings the panel back starts no shell. */
function useTerminalsOf(session: string): void {
  const [isWanted] = useState(() => !restoredPanel.take());
  const wantsOne = useRef(isWanted);
  useEffect(() => {
    const read = async (): Promise<void> => {
      await readTerminals(session);
      const { terminals: found, problem } = useTerminals.getState();
      const isWanting = wantsOne.current && found?.length === 0 && problem === '';
      // Opening one may begin the session, and this is called again.
      wantsOne.current = false;
      if (isWanting) await newTerminal();
    };
    void read();
  }, [session]);
}

/** The panel closes with its last terminal. */
function useHidingAtEnd(count: number | undefined): void {
  const before = useRef(count);
  useEffect(() => {
    if (count === 0 && (before.current ?? 0) > 0) hide();
    before.current = count;
  }, [count]);
}

function hide(): void {
  changeLayout({ isPanelOpen: false });
  usePhone.setState({ pane: 'main' });
  document.getElementById('main')?.focus();
}

/** `bash`, `bash 2`: by the order they were opened in. */
function namesOf(terminals: readonly TerminalView[]): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  return new Map(
    terminals.map(({ terminal_id: id, shell }) => {
      const name = visibleLine(shell.split(/[\\/]/).at(-1) ?? shell);
      const count = (counts.get(name) ?? 0) + 1;
      counts.set(name, count);
      return [id, count === 1 ? name : `${name} ${count}`];
    }),
  );
}
