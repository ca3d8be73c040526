// The session log alone, without a workspace: reading the record needs nothing else.
import { defaultHome, logFile, openSqliteLog, type SqliteLog } from '@codelab/server';

export function openLog(): SqliteLog & AsyncDisposable {
  const log = openSqliteLog(defaultHome(), logFile(process.env.CODELAB_LOG));
  return { ...log, [Symbol.asyncDispose]: () => log.close() };
}
