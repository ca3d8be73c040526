// Which CodeLab session a client's calls are made in, as long as it names none itself.
import { randomId } from '@codelab/runtime';

export type SessionIds = {
  id(): string;
  /** From now on another one: the one before was deleted. */
  renew(): void;
};

/** One for each person and client, for requests that stand alone. */
export type SharedIds = (subject: string, client: string) => SessionIds;

const mostShared = 1000;

export function createSharedIds(): SharedIds {
  const known = new Map<string, string>();
  return (subject, client) => {
    const key = JSON.stringify([subject, client]);
    return {
      id() {
        const id = known.get(key) ?? newSessionId();
        // The one that was asked for longest ago goes first.
        known.delete(key);
        known.set(key, id);
        if (known.size > mostShared) known.delete(known.keys().next().value ?? key);
        return id;
      },
      renew: () => void known.delete(key),
    };
  };
}

export function createOwnId(): SessionIds {
  let id: string | undefined;
  return {
    id: () => (id ??= newSessionId()),
    renew() {
      id = undefined;
    },
  };
}

/** The client says which; when that one was deleted, it is told so. */
export function givenId(id: string): SessionIds {
  return { id: () => id, renew: () => undefined };
}

function newSessionId(): string {
  return `mcp-${randomId()}`;
}
