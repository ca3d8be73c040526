// Log lines for the operator: their destination, and the redaction of secrets.
import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';

/** Structured log lines: one JSON object each, on stderr. When their reader stops reading, lines are lost and the gateway is never delayed. */
type Fields = Record<string, unknown>;

export type LogLines = {
  /** Whether lines for every request and call are logged. */
  isDebug: boolean;
  debug(fields: Fields, what: string): void;
  info(fields: Fields, what: string): void;
  warn(fields: Fields, what: string): void;
  error(fields: Fields, what: string): void;
  /** Resolves when all was written, or after a moment. */
  close(): Promise<void>;
};

export type LogOptions = {
  level: 'debug' | 'info' | 'warn' | 'error' | 'silent';
  /** Instead of stderr. */
  write?(line: string): void;
};

const none = (): void => undefined;
export const noLines: LogLines = {
  isDebug: false,
  debug: none,
  info: none,
  warn: none,
  error: none,
  close: async () => undefined,
};

export async function openLogLines(
  { level, write }: LogOptions,
  { secrets, env }: { secrets: readonly string[]; env: NodeJS.ProcessEnv },
): Promise<LogLines> {
  if (level === 'silent') return noLines;
  const { pino } = await import('./pino.ts');
  const hide = hideLine(secrets, env);
  const to: LineWriter = write ? { write, close: async () => undefined } : openStderr();
  const logger = pino(
    {
      level,
      base: { service: 'codelab' },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
    },
    { write: (line: string) => to.write(hide(line)) },
  );
  return {
    isDebug: logger.isLevelEnabled('debug'),
    debug: (fields, what) => logger.debug(fields, what),
    info: (fields, what) => logger.info(fields, what),
    warn: (fields, what) => logger.warn(fields, what),
    error: (fields, what) => logger.error(fields, what),
    close: () => to.close(),
  };
}

// Writes to stderr without waiting for its reader: lines that do not fit are dropped. A write that waits in a thread, as streams over files do, would
// even keep the process from ending.
type LineWriter = {
  write(line: string): void;
  /** Resolves when all was handed over, or after a moment. */
  close(): Promise<void>;
};

const stderr = 2;
const maxWaitingBytes = 1024 * 1024;
const closeMs = 1000;

function openStderr(): LineWriter {
  const stat = fstatSync(stderr);
  if (stat.isFIFO()) return throughSocket(reopened());
  return stat.isSocket() ? throughSocket(stderr) : { write: writeNow, close: async () => undefined };
}

// A file description of our own: other programs that write to this pipe still wait for its reader, as they expect.
function reopened(): number {
  try {
    return openSync('/proc/self/fd/2', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return stderr;
  }
}

function throughSocket(fd: number): LineWriter {
  const socket = new Socket({ fd, readable: false, writable: true });
  // The reader is gone; that must not end the gateway.
  socket.on('error', () => undefined);
  socket.unref();
  return {
    write(line) {
      if (socket.writable && socket.writableLength < maxWaitingBytes) socket.write(line);
    },
    async close() {
      const { promise, resolve } = Promise.withResolvers<void>();
      const timer = setTimeout(resolve, closeMs);
      if (!socket.writable || socket.writableLength === 0) resolve();
      else socket.write('', () => resolve());
      await promise;
      clearTimeout(timer);
    },
  };
}

function writeNow(line: string): void {
  try {
    writeSync(stderr, line);
  } catch {
    // A full disk or a closed terminal: the line is lost.
  }
}

// The last check of a line before it leaves the process: replaces known secrets, and text in the form of a secret. No secret should get
// this far; this catches those that a defect or a provider's message may contain.
const blot = '•••';
/** Shorter values are flags and numbers, which would blot out innocent text. */
const shortest = 8;
const namesSecret = /KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIAL|OTLP_(TRACES_)?HEADERS/i;

const forms: readonly RegExp[] = [
  /\b(Bearer|Basic) +[^\s"\\]+/gi,
  /\b(token|api_key|key|secret|password)=[^\s&"\\]+/gi,
  /\bey[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g,
  /\b(sk|pk|ghp|gho|xoxb)[-_][\w-]{12,}/g,
  /\/approve\/[\w-]{16,}/g,
  // The part of an address before its host.
  /:\/\/[^\s/@"\\]+@/g,
];

/** `secrets` are always redacted; of the environment, variables whose names suggest a secret. */
export function hideLine(secrets: readonly string[], env: NodeJS.ProcessEnv): (line: string) => string {
  const named = Object.entries(env).flatMap(([name, value]) =>
    value && namesSecret.test(name) ? [value] : [],
  );
  // A line is JSON, so a secret is compared in its JSON spelling.
  const secretTexts = [
    ...new Set([...secrets, ...named].map((secret) => JSON.stringify(secret).slice(1, -1))),
  ]
    .filter(({ length }) => length >= shortest)
    .sort((a, b) => b.length - a.length);
  return (line) => {
    const withoutSecrets = secretTexts.reduce((text, secret) => text.replaceAll(secret, blot), line);
    const hidden = forms.reduce((text, form) => text.replace(form, blot), withoutSecrets);
    return hidden === line || isJson(hidden) ? hidden : withheld;
  };
}

// A secret may begin within a character that JSON escapes.
const withheld = `${JSON.stringify({ level: 'warn', service: 'codelab', msg: 'a line was withheld' })}\n`;

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
