// What the context holds and how full it is; asked again after every reply, turn and change of it.
import type { ContextUse } from '@codelab/api';
import { useEffect, useState } from 'react';
import { api } from '../../api/api.ts';
import { useSession } from '../../session/session-store.ts';

export function useContextInfo(): ContextUse | undefined {
  const id = useSession((model) => model.id);
  const files = useSession(({ contextFiles }) => contextFiles);
  const turns = useSession(({ turns: all }) => all.filter(({ endedAt }) => endedAt !== undefined).length);
  const replies = useSession((model) => model.replies);
  const [info, setInfo] = useState<{ of: string; info: ContextUse } | undefined>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: each of these says that the answer may be another.
  useEffect(() => {
    if (id === '') return;
    const ending = new AbortController();
    api.sessions
      .context(id, ending.signal)
      .then((answer) => setInfo({ of: id, info: answer }))
      // The list of files is known without it.
      .catch(() => undefined);
    return () => ending.abort();
  }, [id, files, turns, replies]);
  return info?.of === id ? info.info : undefined;
}
