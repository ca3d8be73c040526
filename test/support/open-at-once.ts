// Opens the databases of one new state folder after the other, each at its time, so that two such processes meet. Arguments: where the
// folders are, how many, and when to begin. Prints what went wrong.
import { join } from 'node:path';
import { openCommitLock } from '@codelab/runtime';
import { openSqliteLog } from '../../apps/server/src/log/sqlite/sqlite-log.ts';

const [place = '', rounds = '0', begin = '0'] = process.argv.slice(2);
const apartMs = 150;

for (let i = 0; i < Number(rounds); i++) {
  while (Date.now() < Number(begin) + i * apartMs);
  const home = join(place, String(i));
  try {
    using lock = openCommitLock(home);
    await lock.hold(() => undefined);
    await openSqliteLog(home).close();
  } catch (error) {
    process.stdout.write(`${String(error)}\n`);
  }
}
