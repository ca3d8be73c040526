// Loaded into a process before its program: kills it, like `kill -9`, at an exact moment of its session log. CHAOS_FAULT names the moment
// as JSON: right before the entry is durable, or right after, before anyone knows.
import { DatabaseSync } from 'node:sqlite';

export type Fault = { type: string; callId?: string; when: 'before' | 'after' };

const fault = JSON.parse(process.env.CHAOS_FAULT ?? 'null') as Fault | null;

function isMeant(json: unknown): boolean {
  const body = JSON.parse(String(json)) as { type: string; callId?: string; call?: { id: string } };
  return (
    body.type === fault?.type &&
    (fault.callId === undefined || fault.callId === (body.callId ?? body.call?.id))
  );
}

if (fault !== null) {
  const { prepare } = DatabaseSync.prototype;
  let isIn = false;
  DatabaseSync.prototype.prepare = function prepareWatched(this: DatabaseSync, sql, ...rest) {
    const statement = prepare.call(this, sql, ...rest);
    const run = statement.run.bind(statement) as (...values: unknown[]) => ReturnType<typeof statement.run>;
    const watch = (watched: typeof run): void => void Object.assign(statement, { run: watched });
    if (sql.startsWith('INSERT INTO events'))
      watch((...values) => {
        isIn ||= isMeant(values[3]);
        return run(...values);
      });
    if (sql === 'COMMIT')
      watch(() => {
        if (isIn && fault.when === 'before') process.kill(process.pid, 'SIGKILL');
        const running = run();
        if (isIn) process.kill(process.pid, 'SIGKILL');
        return running;
      });
    return statement;
  };
}
