// Tells a person who asked for notifications that a turn has ended while they were elsewhere.
import { visibleLine } from '@codelab/protocol';
import { useSessionStore } from '../../../session/session-store.ts';
import { currentText } from '../../../text/use-text.ts';
import { isAllowed, listenToWorker, showNotice, useNotices } from './notices.tsx';

export function startTurnNotices(): void {
  listenToWorker();
  let noticed = '';
  const look = (): void => {
    const { id, entries } = useSessionStore.getState().model;
    const last = entries.at(-1);
    if (last?.kind !== 'ended' || noticed === `${id} ${last.key}`) return;
    noticed = `${id} ${last.key}`;
    // A turn that ended before the page was opened comes from the log and is no news.
    const isNews = last.time > performance.timeOrigin && Date.now() - last.time < freshMs;
    if (isNews && document.hidden && useNotices.getState().isOn && isAllowed()) void tell();
  };
  look();
  useSessionStore.subscribe(look);
}

const freshMs = 60_000;

async function tell(): Promise<void> {
  const { id, title, entries } = useSessionStore.getState().model;
  const last = entries.at(-1);
  if (last?.kind !== 'ended') return;
  const words = currentText().approval;
  const answer = entries.findLast((entry) => entry.kind === 'said');
  const body = last.message || (answer?.kind === 'said' ? answer.text : '') || title;
  await showNotice({
    title: last.end === 'completed' ? words.noticeDone : words.noticeStopped,
    body: visibleLine(body.replaceAll(/\s+/g, ' ')).slice(0, 200),
    tag: `done ${id}`,
    session: id,
  });
}
