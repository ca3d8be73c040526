// Persistent screen state: drafts, picks, open tabs, unfolded cards, the position in a conversation. This browser has it immediately, after
// a reload and without a connection; the gateway has it a moment later, for other devices. The latest change wins.
import { ApiError } from '@codelab/client';
import { api } from '../api/api.ts';
import { remembered } from '../remembered.ts';
import { useSessionStore } from './session-store.ts';

type Json = Record<string, unknown>;
type Stamped = { at: number; value: unknown };

/** An empty session is what belongs to none. */
export type SessionValue<Value> = {
  read(session: string): Value | undefined;
  write(session: string, value: Value): void;
  /** The value that another screen saved later; undefined where there is none. */
  newer(session: string): Promise<Value | undefined>;
};

const mostKept = 200;
const stored = remembered<Record<string, Stamped>>('screen', {});

/** `isFit` refuses what another version kept. */
export function sessionValue<Value>(name: string, isFit: (value: unknown) => boolean): SessionValue<Value> {
  const readStamped = (session: string): Stamped | undefined => {
    const key = `${session}/${name}`;
    const all = stored.read();
    return Object.hasOwn(all, key) ? all[key] : undefined;
  };
  const put = (session: string, stamped: Stamped): void => {
    const key = `${session}/${name}`;
    const { [key]: _old, ...others } = stored.read();
    const entries = Object.entries({ ...others, [key]: stamped });
    stored.write(Object.fromEntries(entries.slice(-mostKept)));
  };
  const fit = (value: unknown): Value | undefined => (isFit(value) ? (value as Value) : undefined);
  return {
    read: (session) => fit(readStamped(session)?.value),
    write(session, value) {
      const stamped = { at: Date.now(), value };
      put(session, stamped);
      keepOnGateway(session, { [name]: stamped });
    },
    async newer(session) {
      const found = (await keptOnGateway(session))[name];
      if (!isStamped(found) || found.at <= (readStamped(session)?.at ?? 0) || !isFit(found.value))
        return undefined;
      put(session, found);
      return found.value as Value;
    },
  };
}

function isStamped(value: unknown): value is Stamped {
  return typeof value === 'object' && value !== null && 'value' in value && 'at' in value;
}

const waitMs = 800;
const waiting = new Map<string, Json>();
let timer: ReturnType<typeof setTimeout> | undefined;

/** Sent a moment later, many changes at once. */
function keepOnGateway(session: string, state: Json): void {
  waiting.set(session, { ...waiting.get(session), ...state });
  timer ??= setTimeout(sendKept, waitMs);
}

function sendKept(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting.size === 0) return;
  if (useSessionStore.getState().connection === 'lost') {
    timer = setTimeout(sendKept, waitMs);
    return;
  }
  for (const [session, state] of [...waiting]) {
    waiting.delete(session);
    const sent = session === '' ? api.screen.change(state) : api.screen.changeOf(session, state);
    sent.catch((error: unknown) => {
      if (!(error instanceof ApiError) || (error.status !== 0 && error.status < 500)) return;
      keepOnGateway(session, { ...state, ...waiting.get(session) });
    });
  }
}

// Many parts of a screen ask for the same session as it opens.
const askedMs = 2000;
const requests = new Map<string, Promise<Json>>();

/** Nothing where the gateway can't be asked now. */
function keptOnGateway(session: string): Promise<Json> {
  const known = requests.get(session);
  if (known !== undefined) return known;
  const answer = (session === '' ? api.screen.get() : api.screen.getOf(session)).catch(() => ({}));
  requests.set(session, answer);
  setTimeout(() => requests.delete(session), askedMs);
  return answer;
}

// A test imports this file without a page.
globalThis.addEventListener?.('pagehide', sendKept);
