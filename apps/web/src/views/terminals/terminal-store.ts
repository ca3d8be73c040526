// The terminals of the session on the screen. They live on the gateway: a reload finds them again.
import type { TerminalView } from '@codelab/api';
import { create } from 'zustand';
import { api } from '../../api/api.ts';
import { errorMessage } from '../../error-help.ts';
import { currentSession, ensureSession } from '../../session/current-session.ts';
import { currentText } from '../../text/use-text.ts';
import { toastError } from '../../ui/toast.tsx';

type Known = {
  session: string;
  /** Undefined until they are read. */
  terminals: readonly TerminalView[] | undefined;
  active: string;
  problem: string;
};

export const useTerminals = create<Known>(() => ({
  session: '',
  terminals: undefined,
  active: '',
  problem: '',
}));

/** Opened on this page: what they print at their start was not shown before. */
const openedHere = new Set<string>();

export function isOpenedHere(id: string): boolean {
  return openedHere.has(id);
}

export async function readTerminals(session: string): Promise<void> {
  if (useTerminals.getState().session !== session)
    useTerminals.setState({ session, terminals: undefined, active: '', problem: '' });
  const { terminals: before } = useTerminals.getState();
  try {
    const terminals = session === '' ? [] : await api.terminals.list(session);
    const now = useTerminals.getState();
    // A terminal that was opened or closed meanwhile is known better here.
    if (now.session === session && now.terminals === before) keep(terminals);
  } catch (error) {
    useTerminals.setState({ terminals: [], problem: messageOf(error) });
  }
}

export async function newTerminal(): Promise<void> {
  try {
    const session = await ensureSession();
    const opened = await api.terminals.open(session, { cols: 80, rows: 24 });
    openedHere.add(opened.terminal_id);
    if (currentSession() !== session) return;
    const { terminals = [], ...before } = useTerminals.getState();
    const others = before.session === session ? terminals : [];
    useTerminals.setState({
      session,
      terminals: [...others, opened],
      active: opened.terminal_id,
      problem: '',
    });
  } catch (error) {
    useTerminals.setState({ problem: messageOf(error) });
  }
}

/** Ends it when it still runs. */
export async function closeTerminal(id: string): Promise<void> {
  const { session } = useTerminals.getState();
  drop(id);
  await api.terminals.close(session, id).catch(toastError);
}

/** The terminal is no longer on the gateway. */
export function drop(id: string): void {
  keep((useTerminals.getState().terminals ?? []).filter(({ terminal_id }) => terminal_id !== id));
}

export function choose(id: string): void {
  useTerminals.setState({ active: id });
}

function keep(terminals: readonly TerminalView[]): void {
  const { active } = useTerminals.getState();
  const isThere = terminals.some(({ terminal_id }) => terminal_id === active);
  useTerminals.setState({ terminals, active: isThere ? active : (terminals.at(-1)?.terminal_id ?? '') });
}

function messageOf(error: unknown): string {
  return errorMessage(error, currentText());
}
