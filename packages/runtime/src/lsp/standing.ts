// The state of a server, as tools report it.
import type { LiveServer } from './server/live-server.ts';
import type { UnansweredQuestion } from './server/server-pool.ts';

/** Replaces an answer: why there is none, and what to do instead. */
export type UnservedAnswer = {
  ok: false;
  server_status: UnansweredQuestion['status'];
  message: string;
  server?: string;
  install_hint?: string;
  fallback: string;
};

type Serving = { ok: true; server_status: 'active'; server: string };

/** The server lacks the requested capability. */
export function lacks({ found }: LiveServer, ability: string): UnansweredQuestion {
  const message = `${found.server} does not offer this (${ability.replace(/Provider$/, '')}).`;
  return { status: 'unsupported', server: found.server, message };
}

export function serving({ found }: LiveServer): Serving {
  return { ok: true, server_status: 'active', server: found.server };
}

export function unserved(
  { status, message, server, install }: UnansweredQuestion,
  fallback: string,
): UnservedAnswer {
  return {
    ok: false,
    server_status: status,
    message,
    ...(server !== undefined && { server }),
    ...(install !== undefined && { install_hint: install }),
    fallback,
  };
}
