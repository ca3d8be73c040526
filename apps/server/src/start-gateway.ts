// A running gateway as a whole: host, authentication, routes and sockets on one port, and how to stop it in order.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { RequestListener, Server } from 'node:http';
import { networkInterfaces } from 'node:os';
import { lazily } from '@codelab/protocol';
import { userName } from '@codelab/runtime';
import { type Composed, type ComposeOptions, compose } from './compose.ts';
import { createSignInCode } from './edge/auth/browser-files.ts';
import { createAuth } from './edge/auth/create-auth.ts';
import { openHops } from './edge/auth/hops.ts';
import { checkKeys, type JwtOptions, operatorPrefix } from './edge/auth/verify-jwt.ts';
import { openWebSessions, type WebSessions } from './edge/auth/web-sessions.ts';
import { createHttpServer, listenAt, listensAt } from './edge/http-server.ts';
import type { AppOptions } from './http/app.ts';
import { openModelSettings } from './http/settings/model-settings.ts';
import type { LogOptions } from './observe/log-lines.ts';
import {
  type ObservationOptions,
  openObservation,
  returnMemoryWhenQuiet,
} from './observe/open-observation.ts';
import type { Gateway } from './sessions/gateway.ts';
import { openGateway } from './sessions/open-gateway.ts';
import { attachWebSockets, type Sockets } from './sockets/attach-websockets.ts';
import type { SocketLimits } from './sockets/limits.ts';
import { openTerminals, type PersonTerminals } from './terminals/terminals.ts';

export type GatewayStartOptions = {
  compose: ComposeOptions;
  host?: string;
  /** 0 takes any that is free. */
  port?: number;
  /** How many ports above may be tried when the port is taken. */
  furtherPorts?: number;
  /** Generated when none is given. */
  token?: string;
  jwt?: JwtOptions;
  model?: string;
  /** The model used when none is named, configured or implied by a key: the demo, in the sample. */
  fallbackModel?: string;
  openModel?: Gateway['openModel'];
  /** Further host names of the gateway, and further origins of pages that may use it. */
  hosts?: readonly string[];
  origins?: readonly string[];
  /** The address at which other gateways over the same log reach this one (default: where it listens). */
  nodeUrl?: string | undefined;
  socketLimits?: Partial<SocketLimits>;
  /** The folder of the built web IDE; without it there is none. */
  web?: string;
  version?: string;
  /** Log lines; without it there are none. Traces are asked for by OpenTelemetry's own variables. */
  log?: LogOptions;
  onFault?(error: unknown): void;
  /** For tests: an answer that differs from the API table is a defect. */
  checksAnswers?: boolean;
};

export type Running = AsyncDisposable & {
  url: string;
  port: number;
  /** Why the gateway listens on another port than the given one. */
  moved?: string;
  token: string;
  gateway: Gateway;
  sockets: Sockets;
  /** An address that signs one browser in, once and within 15 minutes; undefined without a web IDE. */
  signInLink(): string | undefined;
};

const defaultHost = '127.0.0.1';

export async function startGateway(options: GatewayStartOptions): Promise<Running> {
  const { host = defaultHost, port = 4040, token = randomBytes(24).toString('base64url') } = options;
  const { jwt } = options;
  if (jwt !== undefined) await checkKeys(jwt);
  // A copy: keys that are set from a screen must not reach what the tools start.
  const env = { ...(options.compose.env ?? process.env) };
  await using stack = new AsyncDisposableStack();
  const seen = stack.use(await openObservation(observed(options, env, token)));
  const { onFault, onNotice } = seen;
  const { own, config, cluster, gateway, ...screens } = await openParts(options, { env, seen, stack });
  const { web, version, checksAnswers = false } = options;
  const { sessions, operator, auth: door } = await openDoor(options, { own, cluster, token });
  const auth = seen.watchDoor(door);
  const page = web === undefined ? {} : { web: { folder: web, sessions, operator } };
  const apps = new AsyncDisposableStack();
  const { isModeNamed } = config;
  const known = { env, checksAnswers, version, isModeNamed, cluster };
  const server = createHttpServer(async () => {
    const [settings, terminals] = [screens.settings(), screens.terminals()];
    return await answerHttp({ gateway, auth, seen, onFault, ...known, settings, terminals, ...page }, apps);
  }, onFault);
  stack.defer(() => closeServer(server));
  stack.use(apps);
  const sockets = attachWebSockets({ server, gateway, auth, onFault, limits: options.socketLimits ?? {} });
  stack.defer(() => sockets.close());
  seen.live.sockets = () => sockets.count;
  stack.use(returnMemoryWhenQuiet(onFault));
  const moved = await listenAt(server, { host, port, further: options.furtherPorts ?? 0 });
  if (moved !== undefined) onNotice(moved);
  const { port: taken = port, ...at } = await listensAt({ server, host }, stack);
  const { url } = at;
  await cluster?.announce(options.nodeUrl ?? url);
  if (web !== undefined) sessions.keepFor(`${host}:${taken}`, at);
  const place = at.hasOwnName ? `http://${sessions.hostName}:${taken}` : url;
  stack.defer(() => seen.lines.info({ url }, 'gateway stops'));
  seen.lines.info({ url, workspace: own.workspace.root.real, pid: process.pid }, 'gateway started');
  const owned = stack.move();
  return {
    url,
    port: taken,
    token,
    ...(moved !== undefined && { moved }),
    gateway,
    sockets,
    signInLink: () =>
      web === undefined ? undefined : `${place}/?code=${newCode(own.home, sessions, onFault)}`,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

type Behind = { own: Composed['host']; cluster: Composed['cluster']; token: string };

/** Authentication by tokens, signed-in browsers, and statements of other gateways. */
async function openDoor(options: GatewayStartOptions, { own, cluster, token }: Behind) {
  const { host = defaultHost, hosts = [], origins = [], jwt } = options;
  const sessions = openWebSessions({ home: own.home, token: options.token, shared: cluster?.shared });
  const operator = operatorName(jwt !== undefined);
  const auth = createAuth({
    ...{ token, operator, web: sessions, home: own.home, rates: cluster?.rates },
    ...(jwt && { jwt }),
    ...{ hosts: [...namesOf(host), ...hosts], origins },
    hops: cluster && (await openHops(cluster.shared)),
  });
  return { sessions, operator, auth };
}

function newCode(home: string, sessions: WebSessions, onFault: (error: unknown) => void): string {
  const code = createSignInCode(home);
  sessions.shareCode(code).catch(onFault);
  return code;
}

type Opening = {
  env: NodeJS.ProcessEnv;
  seen: Awaited<ReturnType<typeof openObservation>>;
  stack: AsyncDisposableStack;
};

/** What authenticated requests reach: the host, its sessions, and the operator's terminals in them. */
async function openParts(options: GatewayStartOptions, { env, seen, stack }: Opening) {
  const { onFault, onNotice, watchLog } = seen;
  const composeOptions = { ...options.compose, hasSessionModes: true, isGateway: true, watchLog, onNotice };
  const { agents, config, cluster, worktreeParts, host: own } = stack.use(await compose(composeOptions));
  const { model, fallbackModel: fallback } = options;
  const settings = lazily(() => openModelSettings({ ...placesOf(own), env, model, fallback }));
  const { openModel = (name) => settings().open(name) } = options;
  const hasFiles = options.compose.isFileless !== true;
  const watchTool = seen.watchHost(own);
  let opened: PersonTerminals | undefined;
  const terminals = (): PersonTerminals => {
    opened ??= openTerminals({ isOn: config.hasTerminals, onFault });
    return opened;
  };
  const onDeleted = async (id: string): Promise<void> => opened?.closeAll(id);
  const parts = {
    ...{ host: own, agents, hasFiles, env, onFault, onNotice, watchTool, openModel, cluster, onDeleted },
    worktreeParts,
  };
  const gateway = seen.watchGateway(stack.use(openGateway(parts)));
  // Terminals end before the gateway, which records their ends.
  stack.defer(() => opened?.[Symbol.asyncDispose]());
  return { own, config, cluster, settings, terminals, gateway };
}

function placesOf({ home, workspace }: Composed['host']): { home: string; root: string } {
  return { home, root: workspace.root.real };
}

/** What answers HTTP is loaded with the first request. */
async function answerHttp(options: AppOptions, apps: AsyncDisposableStack): Promise<RequestListener> {
  const { createApp } = await import('./http/app.ts');
  const app = createApp(options);
  apps.defer(() => app.close());
  await app.ready();
  return app.routing;
}

/** Sockets and streams were ended before; connections that are left are cut. */
async function closeServer(server: Server): Promise<void> {
  if (!server.listening) return;
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

function observed(
  { onFault, log }: GatewayStartOptions,
  env: NodeJS.ProcessEnv,
  token: string,
): ObservationOptions {
  return { env, secrets: [token], ...(onFault && { onFault }), ...(log && { log }) };
}

// An address of this machine can't be bound to another one behind the user's back, as a name can.
function namesOf(host: string): string[] {
  if (host !== '0.0.0.0' && host !== '::') return [host.toLowerCase(), `[${host}]`];
  const addresses = Object.values(networkInterfaces()).flatMap((one) => one ?? []);
  return addresses.map(({ family, address }) => (family === 'IPv6' ? `[${address}]` : address));
}

/** The prefix tells the operator from people with tokens, one of whom may have the name of the system's user. */
function operatorName(isOneOfMany: boolean): string {
  const name = userName('operator');
  return isOneOfMany ? `${operatorPrefix}${name}` : name;
}
