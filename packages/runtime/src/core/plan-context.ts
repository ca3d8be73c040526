// What a tool is given to plan with.
import type { Limits } from '@codelab/protocol';
import type { Profile } from '../profiles/profile.ts';
import type { PlanContext } from './define-tool.ts';
import type { Host } from './host.ts';
import type { LiveSession } from './live-session.ts';

type Given = {
  host: Host;
  session: LiveSession;
  limits: Limits;
  signal: AbortSignal;
  roles: readonly Profile[];
};

export function planContext({ host, session, limits, signal, roles }: Given): PlanContext {
  const { workspace, home, cache, log, lock, sandbox, shows, processes } = host;
  const tests = lazily(() => roles.map(({ name }) => host.rules.mayRead(name, session.rules)));
  return {
    workspace,
    home,
    cache,
    log,
    lock,
    sandbox,
    shows,
    processes,
    limits,
    signal,
    roles,
    session: session.id,
    mayRead: (path) => tests().every((test) => test(path)),
    isDenied: (tool, path) =>
      roles.some(({ name }) => host.rules.denies({ tool, profile: name }, path, session.rules)),
    seen: (path) => session.seen(path),
    latest: (tool) => session.latest(tool),
  };
}

// Most tools never ask.
function lazily<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
