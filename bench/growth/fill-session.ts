// A session with many entries, as after that many calls: appended through the log's own interface, a few thousand at a time.
import type { EventBody } from '@codelab/protocol';
import { runCall } from '@codelab/runtime';
import { compose } from '@codelab/server';
import type { Scratch } from '../scratch.ts';

/** The workspace has to have `notes.txt`. Each call leaves three entries. */
export async function fillSession(
  { root, home }: Pick<Scratch, 'root' | 'home'>,
  session: string,
  entries: number,
): Promise<void> {
  await using composed = await compose({ workspace: root, home, env: {} });
  const { host, log } = composed;
  const args = { path: 'notes.txt' };
  await runCall(host, { id: 'first', session, tool: 'read_file', args, dialect: 'codelab' });
  const [, ...first] = await log.read(session);
  const texts = first.map(({ body }) => JSON.stringify(body));
  for (let expected = 4, n = 0; expected < entries; ) {
    const calls = Math.min(1000, Math.ceil((entries - expected) / texts.length));
    const bodies: EventBody[] = Array.from({ length: calls }, () => n++).flatMap((id) =>
      texts.map((text) => JSON.parse(text.replaceAll('"first"', `"earlier${id}"`))),
    );
    await log.append(session, bodies, { expected });
    expected += bodies.length;
  }
}
