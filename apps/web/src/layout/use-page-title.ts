// The tab of the browser says which session it is, and that somebody is waited for.
import { visibleLine } from '@codelab/protocol';
import { useEffect } from 'react';
import { useSession } from '../session/session-store.ts';

export function usePageTitle(): void {
  const title = useSession((model) => model.title);
  const waiting = useSession(({ pending }) => pending.length);
  useEffect(() => {
    const mark = waiting > 0 ? `(${waiting}) ` : '';
    document.title = `${mark}${title === '' ? 'CodeLab' : `${visibleLine(title)} · CodeLab`}`;
  }, [title, waiting]);
}
